import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

export interface WaitingImage {
  id: string;
  product_id: string;
  url: string;
}

/** Images that were never fetched yet, oldest first, after the one given. */
export function listWaitingImages(sql: Sql, limit: number, afterId: string | undefined): Promise<WaitingImage[]> {
  return sql.query(
    `SELECT id, product_id, url FROM product_images WHERE fetched_at IS NULL AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $1`,
    [limit, afterId ?? null],
  );
}

export interface FetchedImage {
  id: string;
  /** Hex. */
  content_hash: string | null;
  media_type: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  blob_ref: string | null;
  error_code: string | null;
}

/** Notes what came of fetching. Of several images of a product with the same bytes, the first keeps them. */
export async function saveFetchedImages(sql: Sql, images: readonly FetchedImage[]): Promise<void> {
  if (images.length === 0) return;
  await sql.query(
    `WITH input AS (
       SELECT x.*, g.product_id, decode(x.content_hash, 'hex') AS hash,
         row_number() OVER (PARTITION BY g.product_id, x.content_hash ORDER BY g.position, g.id) AS copy
       FROM json_to_recordset($1::json) AS x (
         id uuid, content_hash text, media_type text, width int, height int, bytes int, blob_ref text, error_code text)
       JOIN product_images g ON g.id = x.id
     ), judged AS (
       SELECT i.*, i.hash IS NOT NULL AND (i.copy > 1 OR EXISTS (
         SELECT 1 FROM product_images o
         WHERE o.product_id = i.product_id AND o.content_hash = i.hash AND o.blob_ref IS NOT NULL AND o.id <> i.id)) AS again
       FROM input i
     )
     UPDATE product_images g SET content_hash = j.hash, media_type = j.media_type, width = j.width, height = j.height, bytes = j.bytes,
       blob_ref = CASE WHEN j.again THEN NULL ELSE j.blob_ref END,
       error_code = CASE WHEN j.again THEN 'DUPLICATE_CONTENT' ELSE j.error_code END, fetched_at = now()
     FROM judged j WHERE g.id = j.id`,
    [toJson(images)],
  );
}
