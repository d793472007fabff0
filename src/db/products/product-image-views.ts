import type { Sql } from '../../ports/database.ts';
import type { Listing, Sorts } from '../listing.ts';

export interface StoredImageRow {
  id: string;
  url: string;
  alt: string | null;
  position: number;
  kind: 'primary' | 'gallery' | 'thumbnail';
  media_type: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  error_code: string | null;
  fetched_at: Date | null;
  blob_ref: string | null;
}

// Of images with the same bytes only the first keeps them: the others are served from there.
const COLUMNS = `g.id, g.url, g.alt, g.position, g.kind, g.media_type, g.width, g.height, g.bytes, g.error_code, g.fetched_at,
  coalesce(g.blob_ref, (
    SELECT o.blob_ref FROM product_images o
    WHERE o.product_id = g.product_id AND o.content_hash = g.content_hash AND o.blob_ref IS NOT NULL LIMIT 1)) AS blob_ref`;

/** In the order of the page. */
export const IMAGE_SORTS = {
  position: {
    keys: [
      { sql: 'g.position', type: 'int' },
      { sql: 'g.id', type: 'uuid' },
    ],
    order: 'asc',
  },
} satisfies Sorts;

export const listStoredImages = (productId: string): Listing<StoredImageRow> => ({
  columns: COLUMNS,
  from: 'product_images g',
  filters: [['g.product_id = ?', productId]],
});

export async function findStoredImage(sql: Sql, productId: string, id: string): Promise<StoredImageRow | undefined> {
  const rows = await sql.query<StoredImageRow>(
    `SELECT ${COLUMNS} FROM product_images g WHERE g.product_id = $1 AND g.id = $2`,
    [productId, id],
  );
  return rows[0];
}
