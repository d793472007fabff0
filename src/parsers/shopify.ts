import { type Element, isText } from '../pipeline/extract/dom.ts';
import { ISO_CODES } from '../pipeline/extract/product/currencies.ts';
import { readGtin } from '../pipeline/extract/product/gtin.ts';
import { cleanText, isNode, listOf, type SchemaNode, textValue } from '../pipeline/extract/product/schema-values.ts';
import { parseTolerantJson, readValueAt } from '../pipeline/extract/tolerant-json.ts';
import { createFinder, type Finder, type ParsedFacts, type ParserContext, type SiteParser } from './parser.ts';

const MAX_VARIANTS = 100;

/**
 * Small shops on a hosted platform: every theme of it puts the product's data into the page, amounts in hundredths. Shops
 * with a domain of their own name this parser in their settings.
 */
export const shopify: SiteParser = {
  name: 'shopify',
  version: '1',
  matches: (domain) => domain.endsWith('.myshopify.com'),
  parse(document, context) {
    const find = createFinder(document);
    const scripts = find.all('script');
    const product = readProduct(find, scripts);
    if (product === undefined) return undefined;
    const variants = listOf(product.variants).filter(isNode);
    const variant = pickVariant(variants, context.url);
    const facts: ParsedFacts = {};
    const name = textValue(product.title) ?? textValue(variant?.name);
    if (name === undefined) return undefined;
    facts.name = name;
    addOffer(facts, variant ?? product, readCurrency(scripts));
    const brand = textValue(product.vendor);
    if (brand !== undefined) facts.brand = brand;
    const kind = textValue(product.type);
    if (kind !== undefined) facts.category = kind.split('>').map((part) => part.trim());
    const description = typeof product.description === 'string' ? cleanText(product.description) : undefined;
    if (description !== undefined) facts.description = description;
    if (variants.length > 1) facts.variants = variants.slice(0, MAX_VARIANTS).map(describeVariant);
    const images = readImages(product, context);
    if (images.length > 0) facts.images = images;
    return facts;
  },
};

/** The product's JSON of the theme, else what the platform's own statistics carry. */
function readProduct(find: Finder, scripts: readonly Element[]): SchemaNode | undefined {
  for (const script of [...find.all('script[data-product-json]'), ...find.all('script[id^="ProductJson"]')]) {
    const value = parseTolerantJson(scriptText(script));
    const product = isNode(value) && isNode(value.product) ? value.product : value;
    if (isNode(product) && Array.isArray(product.variants)) return product;
  }
  for (const script of scripts) {
    const text = scriptText(script);
    const at = text.indexOf('var meta = {');
    const meta = at < 0 ? undefined : readValueAt(text, at + 'var meta = '.length).value;
    if (isNode(meta) && isNode(meta.product)) return meta.product;
  }
  return undefined;
}

function scriptText(script: Element): string {
  const child = script.children[0];
  return child !== undefined && isText(child) ? child.data : '';
}

/** The variant the address names, else the first that can be bought, else the first. */
function pickVariant(variants: readonly SchemaNode[], url: string): SchemaNode | undefined {
  const wanted = URL.parse(url)?.searchParams.get('variant');
  return (
    variants.find((variant) => wanted !== null && String(variant.id) === wanted) ??
    variants.find((variant) => variant.available === true) ??
    variants[0]
  );
}

function addOffer(facts: ParsedFacts, offer: SchemaNode, currency: string | undefined): void {
  const price = fromHundredths(offer.price);
  if (price !== undefined) facts.price = price;
  if (price !== undefined && currency !== undefined) facts.currency = currency;
  const before = fromHundredths(offer.compare_at_price);
  if (before !== undefined && price !== undefined && Number(before) > Number(price)) facts.regularPrice = before;
  if (typeof offer.available === 'boolean') facts.availability = offer.available ? 'in_stock' : 'out_of_stock';
  const sku = textValue(offer.sku);
  if (sku !== undefined) facts.sku = sku;
  const gtin = readGtin(textValue(offer.barcode) ?? '');
  if (gtin !== undefined) facts.gtin = gtin;
}

function describeVariant(variant: SchemaNode): NonNullable<ParsedFacts['variants']>[number] {
  const described: NonNullable<ParsedFacts['variants']>[number] = {};
  const name = textValue(variant.public_title) ?? textValue(variant.title) ?? textValue(variant.name);
  const sku = textValue(variant.sku);
  const price = fromHundredths(variant.price);
  if (name !== undefined) described.name = name;
  if (sku !== undefined) described.sku = sku;
  if (price !== undefined) described.price = price;
  if (typeof variant.available === 'boolean') described.availability = variant.available ? 'in_stock' : 'out_of_stock';
  return described;
}

function fromHundredths(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? String(value / 100) : undefined;
}

function readCurrency(scripts: readonly Element[]): string | undefined {
  for (const script of scripts) {
    const code = /Shopify\.currency\s*=\s*\{\s*"active"\s*:\s*"([A-Z]{3})"|"currency"\s*:\s*"([A-Z]{3})"/.exec(
      scriptText(script),
    );
    const found = code?.[1] ?? code?.[2];
    if (found !== undefined && ISO_CODES.has(found)) return found;
  }
  return undefined;
}

function readImages(product: SchemaNode, { resolve }: ParserContext): { url: string }[] {
  const sources = listOf(product.images).filter((image) => typeof image === 'string');
  return sources.flatMap((source) => {
    const url = resolve(source);
    return url === undefined ? [] : [{ url }];
  });
}
