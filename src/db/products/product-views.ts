import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';
import type { ProductFacts } from './products.ts';

export interface ProductView extends ProductFacts {
  image: string | null;
  first_seen_at: Date;
  updated_at: Date;
  checked_at: Date;
  gone_at: Date | null;
}

// Amounts leave as text without needless zeros: a number would round them.
const COLUMNS = `p.id, p.url, p.domain, p.page_id, p.name, p.description, trim_scale(p.price)::text AS price,
  trim_scale(p.regular_price)::text AS regular_price, p.currency, p.availability, p.rating, p.review_count, p.brand, p.category,
  p.sku, p.gtin, p.mpn, p.confidence, p.issues, p.parser, p.parser_version, p.first_seen_at, p.updated_at, p.checked_at, p.gone_at,
  (SELECT g.url FROM product_images g WHERE g.product_id = p.id ORDER BY g.position LIMIT 1) AS image`;

// The same expression as the index on it.
const WORDS = `to_tsvector('simple', coalesce(p.name, '') || ' ' || coalesce(p.brand, '') || ' ' || coalesce(p.description, ''))`;

export interface ProductFilter {
  domain?: string | undefined;
  text?: string | undefined;
  brand?: string | undefined;
  category?: string | undefined;
  availability?: string | undefined;
  currency?: string | undefined;
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
  minRating?: number | undefined;
  sku?: string | undefined;
  gtin?: string | undefined;
  minConfidence?: number | undefined;
  gone?: boolean | undefined;
}

/** By price only within a currency: the index is made for that, and other prices cannot be compared. */
export const PRODUCT_SORTS = {
  created: newestFirst('p.id'),
  updated: {
    keys: [
      { sql: 'p.updated_at', type: 'timestamptz' },
      { sql: 'p.id', type: 'uuid' },
    ],
    order: 'desc',
  },
  price: {
    keys: [
      { sql: 'p.price', type: 'numeric', nullable: true },
      { sql: 'p.id', type: 'uuid' },
    ],
    order: 'asc',
  },
} satisfies Sorts;

/** Gone ones only when requested. A category matches at any level of the path. */
export const listProductViews = (filter: ProductFilter): Listing<ProductView> => ({
  columns: COLUMNS,
  from: 'products p',
  filters: [
    ['p.domain = ?', filter.domain],
    [`${WORDS} @@ websearch_to_tsquery('simple', ?)`, filter.text],
    ['lower(p.brand) = lower(?)', filter.brand],
    ['EXISTS (SELECT 1 FROM unnest(p.category) c WHERE lower(c) = lower(?))', filter.category],
    ['p.availability = ?', filter.availability],
    ['p.currency = ?', filter.currency],
    ['p.price >= ?', filter.minPrice],
    ['p.price <= ?', filter.maxPrice],
    ['p.rating >= ?', filter.minRating],
    ['p.sku = ?', filter.sku],
    ['p.gtin = ?', filter.gtin],
    ['p.confidence >= ?', filter.minConfidence],
    [filter.gone ? 'p.gone_at IS NOT NULL' : 'p.gone_at IS NULL'],
  ],
});

export interface ProductImageView {
  url: string;
  alt: string | null;
  kind: string;
  media_type: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  error_code: string | null;
}

export interface ProductDetailView extends ProductView {
  fields: { origins?: Record<string, { source: string; confidence: number }>; variants?: object[] };
  images: ProductImageView[];
}

export async function findProductView(sql: Sql, id: string): Promise<ProductDetailView | undefined> {
  const rows = await sql.query<ProductDetailView>(
    `SELECT ${COLUMNS}, p.fields, coalesce((
       SELECT json_agg(json_build_object('url', g.url, 'alt', g.alt, 'kind', g.kind, 'media_type', g.media_type, 'width', g.width,
         'height', g.height, 'bytes', g.bytes, 'error_code', g.error_code) ORDER BY g.position)
       FROM product_images g WHERE g.product_id = p.id), '[]'::json) AS images
     FROM products p WHERE p.id = $1`,
    [id],
  );
  return rows[0];
}

export interface PriceView {
  seen_at: Date;
  price: string | null;
  regular_price: string | null;
  currency: string | null;
  availability: string | null;
}

export const PRICE_SORTS = { seen: { keys: [{ sql: 'seen_at', type: 'timestamptz' }], order: 'desc' } } satisfies Sorts;

export const listPriceViews = (productId: string): Listing<PriceView> => ({
  columns: `seen_at, trim_scale(price)::text AS price, trim_scale(regular_price)::text AS regular_price, currency, availability`,
  from: 'product_prices',
  filters: [['product_id = ?', productId]],
});
