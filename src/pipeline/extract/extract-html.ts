import { hashBlocks, removeBoilerplate } from './blocks.ts';
import { decodeBody } from './charset.ts';
import { completePage } from './complete-page.ts';
import { type SelectOptions, selectMain } from './content/main-content.ts';
import { readSignals } from './content/signals.ts';
import { type Document, parseHtml } from './dom.ts';
import { readJsonLd } from './json-ld.ts';
import { readLanguage } from './language.ts';
import { createResolver, readHeadings, readLinks } from './links.ts';
import { readCanonical, readMetadata } from './metadata.ts';
import { type PageHead, readHead } from './page-head.ts';
import { extractProduct } from './product/extract-product.ts';
import { renderMarkdown } from './render/markdown.ts';
import { renderText } from './render/text.ts';
import { compileSelectors } from './selectors.ts';
import { readTitle } from './title.ts';
import type { ExtractedPage, ExtractOptions, RawPage } from './types.ts';

/** An HTML page → everything that is known about it, from one parse. */
export async function extractHtml(raw: RawPage, options: ExtractOptions = {}): Promise<ExtractedPage> {
  const { text: html, charset } = decodeBody(raw.body, raw.contentType);
  const document = parseHtml(html);
  const head = readHead(document);
  const resolve = createResolver(raw.url, head.baseHref);
  const nodes = readJsonLd(head.jsonLd);
  const title = readTitle(head, raw.url);
  const { product, shadowProduct } = readProducts(document, { url: raw.url, title, head }, options);
  const main = selectMain(document, {
    ...readSelection(options),
    title,
    signals: readSignals(head, nodes, raw.url, product !== undefined),
  });
  const blocks = hashBlocks(main.root);
  if (options.boilerplate !== undefined) removeBoilerplate(main.root, blocks, options.boilerplate);
  const text = renderText(main.root);
  return completePage({
    title,
    markdown: renderMarkdown(main.root, resolve),
    text,
    language: await readLanguage(head, text),
    kind: main.kind,
    metadata: { ...readMetadata(head, nodes, raw.url, resolve), charset },
    ...readCanonical(head, resolve),
    headings: readHeadings(head),
    ...readLinks(head, resolve, options.maxLinks),
    product,
    ...(shadowProduct !== undefined && { shadowProduct }),
    blocks: [...new Set(blocks.values())],
    // The shell of an application often has one script and no text, or only a request to enable scripts.
    needsScripts: (text.length < 200 && head.scripts > 2) || (text.length < 80 && head.scripts > 0),
  });
}

/** The page's product, and what a parser on trial would have made of it. */
function readProducts(
  document: Document,
  context: { url: string; title: string; head: PageHead },
  { products, parser, shadowParser }: ExtractOptions,
): Pick<ExtractedPage, 'product' | 'shadowProduct'> {
  if (products === false) return { product: undefined };
  const product = extractProduct(document, parser === undefined ? context : { ...context, parser });
  if (shadowParser === undefined) return { product };
  const shadowProduct = extractProduct(document, { ...context, parser: shadowParser });
  return shadowProduct === undefined ? { product } : { product, shadowProduct };
}

function readSelection({ onlyMainContent, includeSelectors, excludeSelectors }: ExtractOptions): SelectOptions {
  const selection: SelectOptions = {};
  if (onlyMainContent !== undefined) selection.onlyMainContent = onlyMainContent;
  const include = compileSelectors(includeSelectors ?? []);
  if (include !== undefined) selection.include = include;
  const exclude = compileSelectors(excludeSelectors ?? []);
  if (exclude !== undefined) selection.exclude = exclude;
  return selection;
}
