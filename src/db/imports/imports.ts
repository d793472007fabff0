import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { type Listing, newestFirst } from '../listing.ts';

export interface ImportRow {
  crawl_id: string;
  name: string;
  blob_ref: string | null;
  records: number;
  taken: number;
  ignored: number;
  problem: { code: string; message: string } | null;
  created_at: Date;
  completed_at: Date | null;
}

export async function insertImport(
  sql: Sql,
  row: { crawl_id: string; name: string; blob_ref: string | null },
): Promise<void> {
  await sql.query('INSERT INTO imports (crawl_id, name, blob_ref) VALUES ($1, $2, $3)', [
    row.crawl_id,
    row.name,
    row.blob_ref,
  ]);
}

export async function findImport(sql: Sql, crawlId: string): Promise<ImportRow | undefined> {
  return (await sql.query<ImportRow>('SELECT * FROM imports WHERE crawl_id = $1', [crawlId]))[0];
}

export const IMPORT_SORTS = { created: newestFirst('crawl_id') };

export const listImportRows = (): Listing<ImportRow> => ({ columns: '*', from: 'imports', filters: [] });

/** Notes how far it is; in the transaction that writes the tasks of those records. */
export async function advanceImport(
  sql: Sql,
  crawlId: string,
  { records, taken, ignored }: { records: number; taken: number; ignored: number },
): Promise<void> {
  await sql.query(
    'UPDATE imports SET records = records + $2, taken = taken + $3, ignored = ignored + $4 WHERE crawl_id = $1',
    [crawlId, records, taken, ignored],
  );
}

/** Ends it; returns the archive that was kept for it, where no other import needs that. */
export async function completeImport(
  sql: Sql,
  crawlId: string,
  problem: { code: string; message: string } | undefined,
): Promise<string | undefined> {
  const [row] = await sql.query<{ unused: string | null }>(
    `WITH before AS (SELECT crawl_id, blob_ref FROM imports WHERE crawl_id = $1 FOR UPDATE),
     ended AS (
       UPDATE imports i SET completed_at = now(), problem = $2::jsonb, blob_ref = NULL FROM before WHERE i.crawl_id = before.crawl_id
     )
     SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM imports o WHERE o.blob_ref = before.blob_ref AND o.crawl_id <> before.crawl_id)
       THEN before.blob_ref END AS unused FROM before`,
    [crawlId, problem ?? null],
  );
  return row?.unused ?? undefined;
}

/** A crawl whose archive brought no page has no task that could end it. */
export async function failEmptyCrawl(sql: Sql, crawlId: string, code: string, message: string): Promise<void> {
  await sql.query(
    `UPDATE crawls SET status = 'failed', error_code = $2, error = $3, completed_at = now(), updated_at = now()
     WHERE id = $1 AND pages_discovered = 0 AND status IN ('pending', 'running', 'paused')`,
    [crawlId, code, message],
  );
}

export interface StoredTask {
  id: string;
  crawl_id: string;
  domain_id: string;
  url: string;
  /** Hex. */
  url_hash: string;
  priority: number;
  max_retries: number;
  raw_ref: string;
  raw_meta: Record<string, string>;
  http_status: number;
  created_by: string;
  status: 'downloaded' | 'paused';
}

/**
 * Adds tasks whose response is stored: a parser takes them over as it does those of a fetcher. An address the crawl has already is
 * left out.
 */
export function insertStoredTasks(sql: Sql, tasks: readonly StoredTask[]): Promise<{ id: string; priority: number }[]> {
  return sql.query(
    `INSERT INTO tasks (id, crawl_id, domain_id, url, url_hash, priority, max_retries, raw_ref, raw_meta, http_status, created_by, status,
       parse_only)
     SELECT id, crawl_id, domain_id, url, decode(url_hash, 'hex'), priority, max_retries, raw_ref, raw_meta, http_status, created_by,
       status, true
     FROM json_to_recordset($1::json) AS x (id uuid, crawl_id uuid, domain_id uuid, url text, url_hash text, priority int,
       max_retries int, raw_ref text, raw_meta jsonb, http_status int, created_by text, status text)
     ORDER BY id ON CONFLICT (crawl_id, url_hash, visit) DO NOTHING RETURNING id, priority`,
    [toJson(tasks)],
  );
}

/** Places in the list of those visits of whose address a response as new is stored, or a newer one. */
export async function findAsNew(
  sql: Sql,
  visits: readonly { url_hash: string; date: Date }[],
): Promise<ReadonlySet<number>> {
  const rows = await sql.query<{ place: number }>(
    `SELECT x.place FROM json_to_recordset($1::json) AS x (place int, url_hash text, date timestamptz)
     JOIN pages p ON p.url_hash = decode(x.url_hash, 'hex')
     WHERE p.raw_ref IS NOT NULL AND p.last_crawled_at >= x.date`,
    [toJson(visits.map((visit, place) => ({ ...visit, place })))],
  );
  return new Set(rows.map(({ place }) => place));
}
