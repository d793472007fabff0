import type { Sql } from '../../ports/database.ts';
import { before } from '../before-id.ts';
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
  limit: number;
  beforeId?: string | undefined;
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

/** Newest first, before `beforeId`; gone ones only when requested. A category matches at any level of the path. */
export function listProductViews(sql: Sql, filter: ProductFilter): Promise<ProductView[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM products p
     WHERE ${before('p.id', '$2')} AND ($3::text IS NULL OR p.domain = $3)
       AND ($4::text IS NULL OR ${WORDS} @@ websearch_to_tsquery('simple', $4))
       AND ($5::text IS NULL OR lower(p.brand) = lower($5))
       AND ($6::text IS NULL OR EXISTS (SELECT 1 FROM unnest(p.category) c WHERE lower(c) = lower($6)))
       AND ($7::text IS NULL OR p.availability = $7) AND ($8::text IS NULL OR p.currency = $8)
       AND ($9::numeric IS NULL OR p.price >= $9) AND ($10::numeric IS NULL OR p.price <= $10)
       AND ($11::float8 IS NULL OR p.rating >= $11) AND ($12::text IS NULL OR p.sku = $12) AND ($13::text IS NULL OR p.gtin = $13)
       AND ($14::float8 IS NULL OR p.confidence >= $14) AND (p.gone_at IS NOT NULL) = $15
     ORDER BY p.id DESC LIMIT $1`,
    [
      filter.limit,
      filter.beforeId ?? null,
      filter.domain ?? null,
      filter.text ?? null,
      filter.brand ?? null,
      filter.category ?? null,
      filter.availability ?? null,
      filter.currency ?? null,
      filter.minPrice ?? null,
      filter.maxPrice ?? null,
      filter.minRating ?? null,
      filter.sku ?? null,
      filter.gtin ?? null,
      filter.minConfidence ?? null,
      filter.gone ?? false,
    ],
  );
}

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
  /** `seen_at` as the database writes it: a Date would lose its microseconds. */
  mark: string;
}

/** Newest first, before the moment given. */
export function listPriceViews(
  sql: Sql,
  productId: string,
  limit: number,
  before: string | undefined,
): Promise<PriceView[]> {
  return sql.query(
    `SELECT seen_at, trim_scale(price)::text AS price, trim_scale(regular_price)::text AS regular_price, currency, availability,
       seen_at::text AS mark
     FROM product_prices WHERE product_id = $1 AND ($3::timestamptz IS NULL OR seen_at < $3)
     ORDER BY seen_at DESC LIMIT $2`,
    [productId, limit, before ?? null],
  );
}
