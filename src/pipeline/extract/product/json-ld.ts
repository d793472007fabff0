import { parseTolerantJson } from '../tolerant-json.ts';
import type { ProductPage } from './page.ts';
import { isNode, listOf, type SchemaNode, textValue, typesOf } from './schema-values.ts';

const PRODUCT = new Set(['product', 'productgroup', 'individualproduct', 'productmodel', 'someproducts']);
/** Types that are products only when they have an offer. */
const SELLABLE = new Set([
  'vehicle',
  'car',
  'motorcycle',
  'book',
  'videogame',
  'softwareapplication',
  'mobileapplication',
  'musicalbum',
  'movie',
]);
/** Under these keys stand other products than the page's own. */
const OTHERS = new Set([
  'isPartOf',
  'hasPart',
  'publisher',
  'provider',
  'author',
  'sponsor',
  'itemListElement',
  'isRelatedTo',
  'isSimilarTo',
  'isAccessoryOrSparePartFor',
  'isConsumableFor',
  'itemReviewed',
  'mentions',
  'hasVariant',
  'isVariantOf',
  'model',
  'itemOffered',
  'review',
  'reviews',
]);

export interface JsonLdProducts {
  /** Products the page is about, as far as its data says. */
  main: SchemaNode[];
  /** Products it merely lists. */
  listed: number;
  breadcrumbs: string[] | undefined;
}

const MAX_NODES = 5_000;

/** Finds products in the page's JSON-LD: top level, `@graph`, and below the page's own node. */
export function findJsonLdProducts(sources: readonly string[]): JsonLdProducts {
  const found: JsonLdProducts = { main: [], listed: 0, breadcrumbs: undefined };
  let seen = 0;
  const visit = (value: unknown, listed: boolean): void => {
    if (seen++ > MAX_NODES) return;
    if (Array.isArray(value)) for (const one of value) visit(one, listed);
    if (!isNode(value)) return;
    const types = typesOf(value);
    if (types.includes('breadcrumblist')) {
      found.breadcrumbs ??= readBreadcrumbs(value);
      return;
    }
    if (isProduct(value, types)) {
      if (listed) found.listed++;
      else found.main.push(value);
    }
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === 'object' && child !== null) visit(child, listed || OTHERS.has(key) || key === 'offers');
    }
  };
  for (const source of sources) visit(parseTolerantJson(unwrap(source)), false);
  return found;
}

function isProduct(node: SchemaNode, types: readonly string[]): boolean {
  // A paid article calls its newspaper a product.
  if (types.includes('creativework')) return false;
  if (types.some((type) => PRODUCT.has(type))) return true;
  return node.offers !== undefined && types.some((type) => SELLABLE.has(type));
}

/** Comment and CDATA marks around the data, and entities where all of it was escaped. */
function unwrap(source: string): string {
  const text = source
    .trim()
    .replace(/^(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>)\s*;?$/, '');
  return text.includes('"') ? text : text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** Of several products, the one this page is about: by its address, then by its name; undefined for a plain list. */
export function pickMain(products: readonly SchemaNode[], page: ProductPage): SchemaNode | undefined {
  if (products.length <= 1) return products[0];
  const names = new Set(products.map((product) => textValue(product.name)?.toLowerCase()));
  if (names.size === 1) return mergeSizes(products);
  const here = products.filter((product) => samePage(textValue(product.url ?? product['@id']), page));
  if (here.length > 0) return richest(here);
  const named = products.filter((product) => isNamedAs(textValue(product.name), page));
  if (named.length > 0) return richest(named);
  return products.length <= 2 ? richest(products) : undefined;
}

/** Several products of one name are its sizes or colours: one product with all their offers. */
function mergeSizes(products: readonly SchemaNode[]): SchemaNode {
  const best = richest(products);
  const skus = new Set(products.map((product) => textValue(product.sku)));
  const offers = products.flatMap((product) =>
    listOf(product.offers).map((offer) => (isNode(offer) ? { sku: product.sku, ...offer } : offer)),
  );
  return { ...best, sku: skus.size > 1 ? undefined : best.sku, offers };
}

function richest(nodes: readonly SchemaNode[]): SchemaNode {
  return nodes.reduce((best, node) => (weight(node) > weight(best) ? node : best));
}

function weight(node: SchemaNode): number {
  return Object.keys(node).length + (node.offers === undefined ? 0 : 10);
}

function samePage(url: string | undefined, page: ProductPage): boolean {
  const full = url === undefined ? undefined : page.resolve(url);
  return full !== undefined && full.split(/[?#]/)[0] === page.url.split(/[?#]/)[0];
}

export function isNamedLike(name: string | undefined, page: ProductPage): boolean {
  const wanted = name?.toLowerCase();
  if (wanted === undefined || wanted.length < 3) return false;
  const heading = page.headingText.toLowerCase();
  return (
    (heading !== '' && (heading.includes(wanted) || wanted.includes(heading))) ||
    page.title.toLowerCase().includes(wanted)
  );
}

/** Among several products a heading such as "Mugs" names none, though it is a part of many of their names. */
function isNamedAs(name: string | undefined, page: ProductPage): boolean {
  return isNamedLike(name, page) && (name?.length ?? 0) * 0.6 <= Math.max(page.headingText.length, 8);
}

function readBreadcrumbs(node: SchemaNode): string[] | undefined {
  const names = listOf(node.itemListElement)
    .filter(isNode)
    .map((entry) => ({ at: Number(entry.position ?? 0), name: textValue(entry.name) ?? textValue(entry.item) }))
    .sort((a, b) => a.at - b.at)
    .flatMap(({ name }) => (name === undefined || /^https?:/.test(name) ? [] : [name]));
  return names.length === 0 ? undefined : names;
}

/** Data that merely bears a name is no proof: pages of all kinds call their site or author a product. */
export function isSubstantial(node: SchemaNode): boolean {
  return ['offers', 'sku', 'gtin13', 'gtin', 'mpn', 'productID', 'hasVariant', 'price'].some(
    (key) => node[key] !== undefined && node[key] !== null && node[key] !== '',
  );
}
