import { readAmount, readCurrency } from './amounts.ts';
import { readSchemaAvailability } from './availability.ts';
import type { Claims, ProductFields } from './fields.ts';
import { readGtin } from './gtin.ts';
import type { ProductPage } from './page.ts';
import {
  imageValues,
  isNode,
  listOf,
  nameValue,
  numberValue,
  type SchemaNode,
  textValue,
  typesOf,
} from './schema-values.ts';

const GTIN_KEYS = ['gtin13', 'gtin', 'gtin14', 'gtin12', 'gtin8', 'ean', 'upc', 'isbn', 'productID'];
const MAX_VARIANTS = 100;

/**
 * Takes the facts out of a schema.org Product, wherever it was written: JSON-LD, microdata or RDFa. Gives back every
 * amount it offers, to compare with what the page shows.
 */
export function claimSchemaProduct(
  node: SchemaNode,
  page: ProductPage,
  claims: Claims,
  source: string,
  trust: number,
): string[] {
  const variants = listOf(node.hasVariant ?? node.model).filter(isNode);
  const offers = [...readOffers(node), ...variants.flatMap(readOffers)];
  const offer = pickOffer(offers, page);
  const add: Claims['add'] = (name, value, from, confidence) => claims.add(name, value, from, confidence);

  add('name', textValue(node.name), source, trust);
  add('description', textValue(node.description), source, trust - 0.05);
  add('brand', nameValue(node.brand) ?? nameValue(node.manufacturer), source, trust);
  const sku = identifier(node.sku);
  // One of several offers' numbers is that of a size or colour, and a number with spaces is a name.
  add('sku', sku, source, sku?.includes(' ') ? trust - 0.4 : trust);
  add(
    'sku',
    identifier(offer?.sku),
    source,
    new Set(offers.map((one) => identifier(one.sku))).size > 1 ? 0.5 : trust - 0.1,
  );
  add(
    'sku',
    identifier(node.productID) ?? identifier(node.productId) ?? identifier(node.identifier),
    source,
    trust - 0.3,
  );
  // Shops that have no maker's number repeat their own.
  const mpn = identifier(node.mpn) ?? identifier(offer?.mpn);
  add('mpn', mpn === sku ? undefined : mpn, source, trust);
  add('gtin', readGtins(node) ?? (offer === undefined ? undefined : readGtins(offer)), source, trust);
  add('category', readCategory(node.category), source, trust - 0.15);
  const images = [...new Set(imageValues(node.image ?? node.images))];
  const urls = images.map((image) => page.resolve(image)).filter((url) => url !== undefined);
  add(
    'images',
    urls.slice(0, 50).map((url) => ({ url })),
    source,
    trust,
  );
  claimRating(node, claims, source, trust);
  if (offer !== undefined) claimOffer(offer, page, claims, source, trust);
  claimAvailability(offers, claims, source, trust);
  add('variants', readVariants(variants, offers), source, trust - 0.1);
  return offers.flatMap((one) => readAmount(scalar(one.price ?? one.lowPrice)) ?? []);
}

function claimOffer(offer: SchemaNode, page: ProductPage, claims: Claims, source: string, trust: number): void {
  const prices = listOf(offer.priceSpecification).filter(isNode);
  const isListPrice = (spec: SchemaNode) =>
    /listprice|srp|msrp|strike/i.test(String(spec.priceType ?? spec.name ?? ''));
  const current = prices.find((spec) => !isListPrice(spec) && spec.price !== undefined);
  const currency = readCurrency(
    textValue(offer.priceCurrency ?? offer.currency ?? current?.priceCurrency) ?? textValue(offer.price),
    page.country,
  );
  const price = readAmount(scalar(offer.price ?? offer.lowPrice ?? current?.price ?? current?.minPrice), currency);
  const doubt = offer.price === undefined && offer.lowPrice !== undefined ? 0.1 : 0;
  // Shops put 0 where they have no price to give.
  claims.add('price', price, source, price === '0' ? 0.2 : trust - doubt);
  if (price !== undefined) claims.add('currency', currency, source, trust);
  const listed = prices.find(isListPrice);
  claims.add('regularPrice', readAmount(scalar(listed?.price), currency), source, trust - 0.1);
}

/** A product that is available in some size is in stock. */
function claimAvailability(offers: readonly SchemaNode[], claims: Claims, source: string, trust: number): void {
  const states = offers.flatMap((offer) => {
    const text = textValue(offer.availability);
    return (text === undefined ? undefined : readSchemaAvailability(text)) ?? [];
  });
  claims.add(
    'availability',
    states.find((state) => state === 'in_stock' || state === 'limited') ?? states[0],
    source,
    trust,
  );
}

function claimRating(node: SchemaNode, claims: Claims, source: string, trust: number): void {
  const rating = listOf(node.aggregateRating ?? node.rating).find(isNode);
  if (rating === undefined) return;
  const value = numberValue(rating.ratingValue ?? rating.average);
  const best = numberValue(rating.bestRating ?? rating.best) ?? 5;
  const count = numberValue(rating.reviewCount ?? rating.ratingCount ?? rating.count);
  if (count !== undefined && count >= 0) claims.add('reviewCount', Math.round(count), source, trust);
  // A rating without votes has no meaning.
  if (value !== undefined && value >= 0 && count !== 0) claims.add('rating', toFive(value, best), source, trust);
}

/** Ratings on another scale, brought to 0–5 with two decimals. */
function toFive(value: number, best: number): number | undefined {
  const scale = best > 0 ? best : 5;
  if (value > scale && value > 5) return undefined;
  return Math.round((scale === 5 || value > scale ? value : (value / scale) * 5) * 100) / 100;
}

function readOffers(node: SchemaNode): SchemaNode[] {
  return listOf(node.offers ?? node.offer)
    .filter(isNode)
    .flatMap((offer) => {
      const nested = listOf(offer.offers).filter(isNode);
      return nested.length > 0 && offer.price === undefined ? [...nested, offer] : [offer];
    })
    .slice(0, MAX_VARIANTS * 2);
}

/** The offer of this very page, else the first that has a price. */
function pickOffer(offers: readonly SchemaNode[], page: ProductPage): SchemaNode | undefined {
  const priced = offers.filter((offer) => offer.price ?? offer.lowPrice ?? offer.priceSpecification);
  const here =
    priced.length > 1 ? priced.filter((offer) => page.resolve(textValue(offer.url) ?? '#') === page.url) : [];
  return (here.length === 1 ? here[0] : undefined) ?? priced[0] ?? offers[0];
}

function readVariants(variants: readonly SchemaNode[], offers: readonly SchemaNode[]): ProductFields['variants'] {
  const nodes =
    variants.length > 0
      ? variants
      : offers.length > 1
        ? offers.filter((offer) => !typesOf(offer).includes('aggregateoffer'))
        : [];
  return nodes.slice(0, MAX_VARIANTS).flatMap((node) => {
    const offer = readOffers(node)[0] ?? node;
    const variant: ProductFields['variants'][number] = {};
    const name = textValue(node.name);
    const sku = identifier(node.sku ?? offer.sku);
    const price = readAmount(scalar(offer.price), textValue(offer.priceCurrency));
    const stock = textValue(offer.availability);
    const availability = stock === undefined ? undefined : readSchemaAvailability(stock);
    if (name !== undefined) variant.name = name;
    if (sku !== undefined) variant.sku = sku;
    if (price !== undefined) variant.price = price;
    if (availability !== undefined) variant.availability = availability;
    return Object.keys(variant).length > 0 ? [variant] : [];
  });
}

function readGtins(node: SchemaNode): string | undefined {
  for (const key of GTIN_KEYS) {
    for (const value of listOf(node[key])) {
      const text = textValue(value);
      if (text === undefined || (key === 'productID' && !/^(?:ean|upc|gtin|isbn)/i.test(text))) continue;
      const gtin = readGtin(text);
      if (gtin !== undefined) return gtin;
    }
  }
  return undefined;
}

/** "A > B > C", a list of names, or a node. */
function readCategory(value: unknown): string[] | undefined {
  const parts = listOf(value).flatMap((one) => {
    const text = textValue(one);
    return text === undefined || /^https?:/.test(text) ? [] : text.split(/>|›|»|→|\/(?=\s)|&gt;/);
  });
  const names = parts.map((part) => part.trim()).filter((part) => part !== '' && part.length < 120);
  return names.length === 0 ? undefined : names;
}

function identifier(value: unknown): string | undefined {
  const text = textValue(value)?.replace(/^(?:sku|mpn|id|art(?:ikel)?\.?[- ]?n[ro]\.?)\s*[:#]\s*/i, '');
  return text === undefined || text.length > 80 ? undefined : text;
}

function scalar(value: unknown): string | number | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === 'number' ? one : textValue(one);
}
