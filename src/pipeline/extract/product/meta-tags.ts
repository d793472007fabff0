import { firstMeta } from '../page-head.ts';
import { readAmount, readCurrency } from './amounts.ts';
import { readSchemaAvailability } from './availability.ts';
import type { Claims } from './fields.ts';
import { readGtin } from './gtin.ts';
import type { ProductPage } from './page.ts';
import { cleanText } from './schema-values.ts';

const SOURCE = 'opengraph';

/** Open Graph and Twitter tags about a product. True when they say that this page is one. */
export function claimMetaTags(page: ProductPage, claims: Claims): boolean {
  const meta = (...names: string[]) => {
    const value = firstMeta(page.head, ...names);
    return value === undefined ? undefined : cleanText(value);
  };
  const isProduct = /^(?:og:)?product(?:\.item)?$|^(?:\w+:)?product$/i.test(meta('og:type') ?? '');
  const label = /price|preis|prix|precio|prezzo|cena/i.test(meta('twitter:label1') ?? '')
    ? meta('twitter:data1')
    : undefined;
  const sale = meta('product:sale_price:amount', 'product:sale_price');
  const listed = meta('product:price:amount', 'product:price', 'og:price:amount', 'og:price');
  const amount = sale ?? listed ?? label;
  if (amount === undefined && !isProduct) return false;

  const currency = readCurrency(
    meta('product:sale_price:currency', 'product:price:currency', 'og:price:currency', 'og:currency') ?? amount,
    page.country,
  );
  const price = readAmount(amount, currency);
  claims.add('price', price, SOURCE, price === '0' ? 0.2 : 0.8);
  if (price !== undefined) claims.add('currency', currency, SOURCE, 0.85);
  const original = readAmount(
    meta('product:original_price:amount', 'og:price:standard_amount') ?? (sale === undefined ? undefined : listed),
    currency,
  );
  if (original !== price) claims.add('regularPrice', original, SOURCE, 0.7);
  const stock = meta('product:availability', 'og:availability');
  if (stock !== undefined) claims.add('availability', readSchemaAvailability(stock), SOURCE, 0.8);
  claims.add('name', meta('og:title', 'twitter:title'), SOURCE, 0.55);
  claims.add('description', meta('og:description', 'description'), SOURCE, 0.6);
  claims.add('brand', meta('product:brand', 'og:brand'), SOURCE, 0.8);
  claims.add(
    'sku',
    meta('product:retailer_item_id', 'product:retailer_part_no', 'product:sku', 'og:sku'),
    SOURCE,
    0.75,
  );
  claims.add('mpn', meta('product:mfr_part_no', 'product:mpn'), SOURCE, 0.75);
  const gtin = meta('product:ean', 'product:gtin', 'product:isbn', 'product:upc', 'og:upc', 'og:ean');
  if (gtin !== undefined) claims.add('gtin', readGtin(gtin), SOURCE, 0.8);
  const category = meta('product:category');
  if (category !== undefined && !/^\d+$/.test(category))
    claims.add(
      'category',
      category.split('>').map((part) => part.trim()),
      SOURCE,
      0.6,
    );
  const image = meta('og:image:secure_url', 'og:image', 'twitter:image');
  const url = image === undefined ? undefined : page.resolve(image);
  if (url !== undefined) claims.add('images', [{ url }], SOURCE, 0.6);
  return isProduct || price !== undefined;
}
