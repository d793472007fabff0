import type { Sql } from '../../ports/database.ts';

/** A visit whose response may be stored. */
export interface StoredVisit {
  id: string;
  url: string;
  http_status: number | null;
  raw_ref: string | null;
  raw_meta: Record<string, string> | null;
  visited_at: Date | null;
  fetch_ms: number | null;
}

/** The last visits of pages, by page id. */
export async function readPageVisits(sql: Sql, ids: readonly string[]): Promise<Map<string, StoredVisit>> {
  const rows = await sql.query<StoredVisit>(
    `SELECT id, url, http_status, raw_ref, raw_meta, last_crawled_at AS visited_at, fetch_ms FROM pages WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same of the pages that documents were read from, by document id. */
export async function readDocumentVisits(sql: Sql, ids: readonly string[]): Promise<Map<string, StoredVisit>> {
  const rows = await sql.query<StoredVisit>(
    `SELECT d.id, p.url, p.http_status, p.raw_ref, p.raw_meta, p.last_crawled_at AS visited_at, p.fetch_ms
     FROM documents d JOIN pages p ON p.id = d.page_id WHERE d.id = ANY ($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The visits of single tasks. A task whose site said that nothing changed (304) has no response of its own. */
export async function readTaskVisits(sql: Sql, ids: readonly string[]): Promise<Map<string, StoredVisit>> {
  const rows = await sql.query<StoredVisit>(
    `SELECT t.id, t.url, t.http_status, coalesce(t.raw_ref, CASE WHEN t.http_status = 304 THEN p.raw_ref END) AS raw_ref,
       coalesce(CASE WHEN p.raw_ref = t.raw_ref THEN p.raw_meta || t.raw_meta END, t.raw_meta,
         CASE WHEN t.http_status = 304 THEN p.raw_meta END) AS raw_meta, t.completed_at AS visited_at,
       t.response_ms AS fetch_ms
     FROM tasks t LEFT JOIN pages p ON p.url_hash = t.url_hash WHERE t.id = ANY ($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
