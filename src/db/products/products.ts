import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

/** What is known about a product. */
export interface ProductFacts {
  id: string;
  url: string;
  domain: string;
  page_id: string | null;
  name: string | null;
  description: string | null;
  price: string | null;
  regular_price: string | null;
  currency: string | null;
  availability: string | null;
  rating: number | null;
  review_count: number | null;
  brand: string | null;
  category: string[];
  sku: string | null;
  gtin: string | null;
  mpn: string | null;
  confidence: number;
  issues: string[];
  parser: string;
  parser_version: string;
}

export interface ProductRow extends ProductFacts {
  url_hash: string;
  fields: object;
  content_hash: string;
}

interface Offer {
  price: string | null;
  regular_price: string | null;
  currency: string | null;
  availability: string | null;
}

export interface StoredProduct {
  id: string;
  url_hash: string;
  /** Set when the price is another one than at the visit before. */
  repriced: { before: Offer; after: Offer } | null;
}

/**
 * Stores products by address. `updated_at` moves only when a fact changed, `checked_at` with every visit. A row of price
 * history is written when price, regular price, currency or availability differ from what was known: the first visit
 * always writes one. `before` reads the rows as they were, because all parts of a statement see the same snapshot.
 */
export function upsertProducts(sql: Sql, rows: readonly ProductRow[]): Promise<StoredProduct[]> {
  return sql.query(
    `WITH input AS (
       SELECT *, decode(url_hash, 'hex') AS hash FROM json_to_recordset($1::json) AS x (
         id uuid, url text, url_hash text, domain text, page_id uuid, name text, description text, price numeric,
         regular_price numeric, currency text, availability text, rating double precision, review_count int, brand text,
         category jsonb, sku text, gtin text, mpn text, fields jsonb, confidence double precision, issues jsonb,
         parser text, parser_version text, content_hash text)
     ), before AS (
       SELECT p.id, p.price, p.regular_price, p.currency, p.availability FROM products p JOIN input i ON p.url_hash = i.hash
     ), stored AS (
       INSERT INTO products AS p (id, url, url_hash, domain, page_id, name, description, price, regular_price, currency, availability,
         rating, review_count, brand, category, sku, gtin, mpn, fields, confidence, issues, parser, parser_version, content_hash)
       SELECT id, url, hash, domain, page_id, name, description, price, regular_price, currency, availability, rating, review_count,
         brand, ARRAY(SELECT jsonb_array_elements_text(category)), sku, gtin, mpn, fields, confidence,
         ARRAY(SELECT jsonb_array_elements_text(issues)), parser, parser_version, decode(content_hash, 'hex')
       FROM input ORDER BY hash
       ON CONFLICT (url_hash) DO UPDATE SET
         url = excluded.url, domain = excluded.domain, page_id = coalesce(excluded.page_id, p.page_id), name = excluded.name,
         description = excluded.description, price = excluded.price, regular_price = excluded.regular_price,
         currency = excluded.currency, availability = excluded.availability, rating = excluded.rating,
         review_count = excluded.review_count, brand = excluded.brand, category = excluded.category, sku = excluded.sku,
         gtin = excluded.gtin, mpn = excluded.mpn, fields = excluded.fields, confidence = excluded.confidence,
         issues = excluded.issues, parser = excluded.parser, parser_version = excluded.parser_version,
         content_hash = excluded.content_hash, checked_at = now(), gone_at = NULL,
         updated_at = CASE WHEN p.content_hash = excluded.content_hash THEN p.updated_at ELSE now() END
       RETURNING p.id, p.url_hash, p.price, p.regular_price, p.currency, p.availability
     ), priced AS (
       INSERT INTO product_prices (product_id, price, regular_price, currency, availability)
       SELECT s.id, s.price, s.regular_price, s.currency, s.availability FROM stored s LEFT JOIN before b ON b.id = s.id
       WHERE b.id IS NULL
         OR (s.price, s.regular_price, s.currency, s.availability) IS DISTINCT FROM (b.price, b.regular_price, b.currency, b.availability)
       ON CONFLICT DO NOTHING
     )
     SELECT s.id, encode(s.url_hash, 'hex') AS url_hash,
       CASE WHEN (s.price, s.regular_price, s.currency) IS DISTINCT FROM (b.price, b.regular_price, b.currency) AND b.id IS NOT NULL
         THEN json_build_object(
           'before', json_build_object('price', b.price::text, 'regular_price', b.regular_price::text, 'currency', b.currency,
             'availability', b.availability),
           'after', json_build_object('price', s.price::text, 'regular_price', s.regular_price::text, 'currency', s.currency,
             'availability', s.availability)) END AS repriced
     FROM stored s LEFT JOIN before b ON b.id = s.id`,
    [toJson(rows)],
  );
}

export interface ProductImageRow {
  id: string;
  product_id: string;
  url: string;
  alt: string | null;
  position: number;
  kind: 'primary' | 'gallery';
}

/** The images of these products are now exactly these; what was learnt about one that stays is kept. */
export async function replaceProductImages(
  sql: Sql,
  productIds: readonly string[],
  rows: readonly ProductImageRow[],
): Promise<void> {
  await sql.query(
    `WITH input AS (
       SELECT * FROM json_to_recordset($2::json) AS x (id uuid, product_id uuid, url text, alt text, position int, kind text)
     ), gone AS (
       DELETE FROM product_images g WHERE g.product_id = ANY($1::uuid[])
         AND NOT EXISTS (SELECT 1 FROM input i WHERE i.product_id = g.product_id AND i.url = g.url)
     )
     INSERT INTO product_images AS g (id, product_id, url, alt, position, kind)
     SELECT id, product_id, url, alt, position, kind FROM input ORDER BY product_id, url
     ON CONFLICT (product_id, url) DO UPDATE SET alt = excluded.alt, position = excluded.position, kind = excluded.kind
     WHERE (g.alt, g.position, g.kind) IS DISTINCT FROM (excluded.alt, excluded.position, excluded.kind)`,
    [productIds, toJson(rows)],
  );
}
