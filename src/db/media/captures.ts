import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst } from '../listing.ts';

export type CaptureKind = 'screenshot' | 'pdf' | 'scripts';

export interface CaptureRow {
  id: string;
  kind: CaptureKind;
  url: string;
  private: boolean;
  owner: string;
  /** What the browser said about the page. */
  page: { url: string; status: number; title: string };
  blob_ref: string;
  bytes: number;
  content_type: string;
  created_at: Date;
  expires_at: Date;
}

/** Who looks: private captures are shown to their owner and to admins. */
export interface CaptureReader {
  name: string;
  admin: boolean;
}

const COLUMNS = 'id, kind, url, private, owner, page, blob_ref, bytes, content_type, created_at, expires_at';
const VISIBLE = '(NOT private OR owner = $1 OR $2)';

export async function insertCapture(
  sql: Sql,
  capture: Omit<CaptureRow, 'created_at' | 'expires_at'> & { key: Uint8Array },
  keepDays: number,
): Promise<CaptureRow> {
  const { id, kind, url, key, owner, page, blob_ref, bytes, content_type } = capture;
  const rows = await sql.query<CaptureRow>(
    `INSERT INTO captures (id, kind, url, key, private, owner, page, blob_ref, bytes, content_type, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11::int * interval '1 day') RETURNING ${COLUMNS}`,
    [id, kind, url, key, capture.private, owner, page, blob_ref, bytes, content_type, keepDays],
  );
  return rows[0]!;
}

/** The newest capture of the same request that is not older than that. */
export async function findCaptureByKey(sql: Sql, key: Uint8Array, maxAgeS: number): Promise<CaptureRow | undefined> {
  const rows = await sql.query<CaptureRow>(
    `SELECT ${COLUMNS} FROM captures
     WHERE key = $1 AND created_at > now() - $2::int * interval '1 second' AND expires_at > now()
     ORDER BY created_at DESC LIMIT 1`,
    [key, maxAgeS],
  );
  return rows[0];
}

export async function findCapture(sql: Sql, reader: CaptureReader, id: string): Promise<CaptureRow | undefined> {
  const rows = await sql.query<CaptureRow>(`SELECT ${COLUMNS} FROM captures WHERE id = $3 AND ${VISIBLE}`, [
    reader.name,
    reader.admin,
    id,
  ]);
  return rows[0];
}

export const CAPTURE_SORTS = { created: newestFirst() };

export const listCaptureRows = (
  reader: CaptureReader,
  filter: { kind: CaptureKind | undefined; url: string | undefined },
): Listing<CaptureRow> => ({
  columns: COLUMNS,
  from: 'captures',
  filters: [
    reader.admin ? ['true'] : ['NOT private OR owner = ?', reader.name],
    ['kind = ?', filter.kind],
    ['url = ?', filter.url],
  ],
});

/** False when there is no such capture, or none this reader sees. Its bytes stay: a blob may be shared. */
export async function deleteCaptureRow(sql: Sql, reader: CaptureReader, id: string): Promise<boolean> {
  const rows = await sql.query(`DELETE FROM captures WHERE id = $3 AND ${VISIBLE} RETURNING id`, [
    reader.name,
    reader.admin,
    id,
  ]);
  return rows.length > 0;
}

/** In batches; returns how many went. */
export async function deleteExpiredCaptures(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM captures WHERE id IN (SELECT id FROM captures WHERE expires_at < now() ORDER BY expires_at LIMIT $1)
     RETURNING id`,
    [limit],
  );
  return rows.length;
}
