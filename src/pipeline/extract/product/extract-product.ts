import { parserFor, parserNamed } from '../../../parsers/index.ts';
import type { ParsedFacts, SiteParser } from '../../../parsers/parser.ts';
import type { Document, Element } from '../dom.ts';
import { textOf } from '../dom.ts';
import { createResolver } from '../links.ts';
import { firstMeta, type PageHead, readHead } from '../page-head.ts';
import type { ExtractedProduct } from '../types.ts';
import { toCategory } from './breadcrumbs.ts';
import { claimEmbeddedState } from './embedded-state.ts';
import { Claims, type FieldName, type ProductFields } from './fields.ts';
import { claimVisible } from './heuristics.ts';
import { isProductPage } from './is-product-page.ts';
import { findJsonLdProducts, isSubstantial, pickMain } from './json-ld.ts';
import { MICRODATA, RDFA, readItem } from './markup.ts';
import { claimMetaTags } from './meta-tags.ts';
import { findTitle, type ProductPage, pickHeading, readCountry } from './page.ts';
import { scanPage } from './scan.ts';
import { claimSchemaProduct } from './schema-product.ts';
import { hasBuyControl, hasProductSignal } from './signals.ts';
import { findIssues } from './validate.ts';

export const GENERIC_PARSER = { name: 'generic', version: '1' } as const;

export interface ProductContext {
  url: string;
  title: string;
  language?: string;
  /** Name of the site parser to use. */
  parser?: string;
  /** What the page walk already gathered, when there was one. */
  head?: PageHead;
}

/** The product a page is about, or undefined: lists of products and articles have none. */
export function extractProduct(document: Document, context: ProductContext): ExtractedProduct | undefined {
  const parser = pickParser(context);
  const head = context.head ?? readHead(document);
  if (parser === undefined && !hasProductSignal(head)) return undefined;
  const page = openPage(document, context, head);
  const claims = new Claims();
  const parsed = parser?.parse(document, page);
  if (parser !== undefined && parsed !== undefined) claimFacts(parsed, claims, `parser:${parser.name}`);
  const offered = new Set<string>();
  const known = claimStructured(page, claims, offered);
  if (parsed === undefined && !known && !hasBuyControl(head)) return undefined;
  const scan = scanPage(page);
  const stated = claimEmbeddedState(page, claims);
  const findings = claimVisible(page, scan, claims, offered, stated);
  if (parsed !== undefined) return finish(claims, parser!);
  return known || isProductPage(page, scan, claims, findings) ? finish(claims, GENERIC_PARSER) : undefined;
}

/** What the page's own data says, and nothing that it shows: for comparison. */
export function readStructured(document: Document, context: ProductContext): Partial<ProductFields> {
  const claims = new Claims();
  claimStructured(openPage(document, context, context.head ?? readHead(document)), claims, new Set());
  return claims.fields();
}

/** The parser the domain's settings name ("generic" for none), else the one that knows the site. */
function pickParser({ parser, url }: ProductContext): SiteParser | undefined {
  if (parser === GENERIC_PARSER.name) return undefined;
  return parser === undefined ? parserFor(url) : parserNamed(parser);
}

/** A parser written for the site knows better than any guess. */
function claimFacts(facts: ParsedFacts, claims: Claims, source: string): void {
  for (const [name, value] of Object.entries(facts)) claims.add(name as FieldName, value as never, source, 0.98);
}

function openPage(document: Document, context: ProductContext, head: PageHead): ProductPage {
  const heading = pickHeading(head, context.title) ?? findTitle(document, [context.title, ...head.titles.slice(0, 1)]);
  return {
    document,
    head,
    url: context.url,
    title: context.title,
    country: readCountry(context.url, [head.language, firstMeta(head, 'og:locale'), context.language]),
    heading,
    headingText: heading === undefined ? '' : textOf(heading),
    resolve: createResolver(context.url, head.baseHref),
  };
}

/** What the page's own data says. True when it says that the page is about one product. */
function claimStructured(page: ProductPage, claims: Claims, offered: Set<string>): boolean {
  let known = false;
  const jsonLd = findJsonLdProducts(page.head.jsonLd);
  const main = pickMain(jsonLd.main, page);
  if (main !== undefined) {
    for (const amount of claimSchemaProduct(main, page, claims, 'json-ld', 0.95)) offered.add(amount);
    known = isSubstantial(main);
  }
  for (const [markup, source, trust] of [
    [MICRODATA, 'microdata', 0.9],
    [RDFA, 'rdfa', 0.85],
  ] as const) {
    const items = page.head.items.filter((item) => isProductItem(item.attribs[markup.type]));
    const nodes = items
      .filter((item) => !items.some((other) => other !== item && isInside(item, other)))
      .map((item) => readItem(item, markup));
    const node = pickMain(nodes, page);
    if (node === undefined) continue;
    for (const amount of claimSchemaProduct(node, page, claims, source, trust)) offered.add(amount);
    known ||= isSubstantial(node);
  }
  if (claimMetaTags(page, claims)) known = true;
  const told = claims.get('price');
  if (told !== undefined) offered.add(told);
  claims.add('category', toCategory(jsonLd.breadcrumbs, claims.get('name'), page.headingText), 'json-ld', 0.85);
  return known;
}

function isInside(element: Element, box: Element): boolean {
  for (let up = element.parent; up !== null; up = up.parent) if (up === box) return true;
  return false;
}

function finish(
  claims: Claims,
  { name: parser, version: parserVersion }: { name: string; version: string },
): ExtractedProduct {
  const origins = claims.origins();
  const weights = ['name', 'price', 'currency', 'availability'].map((name) => origins[name]?.confidence ?? 0);
  const confidence = Math.round((weights.reduce((sum, weight) => sum + weight, 0) / weights.length) * 100) / 100;
  return { ...claims.fields(), origins, confidence, issues: findIssues(claims), parser, parserVersion };
}

function isProductItem(type: string | undefined): boolean {
  return type !== undefined && /product\b/i.test(type) && !/creativework/i.test(type);
}
