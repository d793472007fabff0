import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

export interface PageRow {
  id: string;
  url: string;
  url_hash: string;
  domain_id: string;
  /** never_crawled: known, but not requested yet; a page that was requested never becomes one again. */
  status: 'never_crawled' | 'fetched' | 'failed' | 'blocked';
  http_status: number | null;
  final_url: string | null;
  content_type: string | null;
  content_length: number | null;
  title: string | null;
  description: string | null;
  language: string | null;
  content_hash: string | null;
  simhash: string | null;
  /** Another address of its domain that the page says its content belongs to. */
  canonical_url: string | null;
  canonical_hash: string | null;
  duplicate_of: string | null;
  etag: string | null;
  last_modified: string | null;
  raw_ref: string | null;
  raw_meta: Record<string, string> | null;
  links_count: number;
  error_code: string | null;
  fetch_ms: number | null;
  /** False for a 304: a visit, with nothing new. */
  has_body: boolean;
  /** False when it was only read again from what is stored: it is not any younger for that. */
  visited: boolean;
  /** When the visit was, where that is not now: a page of an archive. */
  fetched_at: string | null;
}

export interface StoredPage {
  id: string;
  url_hash: string;
  changed: boolean;
  visits: number;
  changes: number;
  old_simhash: string | null;
}

/** Records a visit. A visit without a body (304, a failure) keeps what is known about the content. */
export function upsertPages(sql: Sql, pages: readonly PageRow[]): Promise<StoredPage[]> {
  return sql.query<StoredPage>(
    `WITH input AS (
       SELECT x.*, p.simhash AS old_simhash, p.content_hash AS old_hash FROM json_to_recordset($1::json) AS x (
         id uuid, url text, url_hash text, domain_id uuid, status text, http_status int, final_url text, content_type text,
         content_length int, title text, description text, language text, content_hash text, simhash bigint, canonical_url text, canonical_hash text, duplicate_of uuid, etag text,
         last_modified text, raw_ref text, raw_meta jsonb, links_count int, error_code text, fetch_ms int, has_body boolean, visited boolean,
         fetched_at timestamptz)
       LEFT JOIN pages p ON p.url_hash = decode(x.url_hash, 'hex')
     ), stored AS (
       INSERT INTO pages AS p (id, url, url_hash, domain_id, status, http_status, final_url, content_type, content_length, title,
         description, language, content_hash, simhash, canonical_url, canonical_hash, duplicate_of, etag, last_modified, raw_ref, raw_meta, links_count, error_code, fetch_ms,
         visits, changes, error_count, last_crawled_at, last_changed_at)
       SELECT id, url, decode(url_hash, 'hex'), domain_id, status, http_status, final_url, content_type, content_length, title,
         description, language, decode(content_hash, 'hex'), simhash, canonical_url, decode(canonical_hash, 'hex'), duplicate_of, etag, last_modified, raw_ref, raw_meta, links_count, error_code,
         fetch_ms, visited::int, 0, (status = 'failed')::int, CASE WHEN visited THEN least(coalesce(fetched_at, now()), now()) END, CASE WHEN has_body THEN now() END
       FROM input ORDER BY url_hash
       ON CONFLICT (url_hash) DO UPDATE SET
         status = CASE WHEN excluded.status = 'never_crawled' THEN p.status ELSE excluded.status END,
         http_status = CASE WHEN excluded.status = 'never_crawled' THEN p.http_status ELSE excluded.http_status END, error_code = excluded.error_code,
         fetch_ms = excluded.fetch_ms, visits = p.visits + excluded.visits, last_crawled_at = greatest(excluded.last_crawled_at, p.last_crawled_at),
         error_count = CASE WHEN excluded.status = 'failed' THEN p.error_count + 1 ELSE 0 END,
         etag = coalesce(excluded.etag, CASE WHEN excluded.last_changed_at IS NULL THEN p.etag END),
         last_modified = coalesce(excluded.last_modified, CASE WHEN excluded.last_changed_at IS NULL THEN p.last_modified END),
         final_url = CASE WHEN excluded.last_changed_at IS NULL THEN p.final_url ELSE excluded.final_url END,
         content_type = coalesce(excluded.content_type, p.content_type),
         content_length = coalesce(excluded.content_length, p.content_length),
         title = coalesce(excluded.title, p.title), description = coalesce(excluded.description, p.description),
         language = coalesce(excluded.language, p.language), simhash = coalesce(excluded.simhash, p.simhash),
         content_hash = coalesce(excluded.content_hash, p.content_hash),
         canonical_url = CASE WHEN excluded.content_hash IS NULL THEN p.canonical_url ELSE excluded.canonical_url END,
         canonical_hash = CASE WHEN excluded.content_hash IS NULL THEN p.canonical_hash ELSE excluded.canonical_hash END,
         duplicate_of = CASE WHEN excluded.content_hash IS NULL THEN p.duplicate_of ELSE excluded.duplicate_of END,
         raw_ref = coalesce(excluded.raw_ref, p.raw_ref), raw_meta = coalesce(excluded.raw_meta, p.raw_meta),
         links_count = CASE WHEN excluded.last_changed_at IS NULL THEN p.links_count ELSE excluded.links_count END,
         changes = p.changes + (excluded.content_hash IS NOT NULL AND p.content_hash IS DISTINCT FROM excluded.content_hash)::int,
         last_changed_at = CASE WHEN excluded.content_hash IS NOT NULL AND p.content_hash IS DISTINCT FROM excluded.content_hash
           THEN now() ELSE p.last_changed_at END
       RETURNING p.id, p.url_hash, p.visits, p.changes
     )
     SELECT s.id, encode(s.url_hash, 'hex') AS url_hash, s.visits, s.changes, i.old_simhash::text AS old_simhash,
       i.content_hash IS NOT NULL AND i.old_hash IS DISTINCT FROM decode(i.content_hash, 'hex') AS changed
     FROM stored s JOIN input i ON decode(i.url_hash, 'hex') = s.url_hash`,
    [toJson(pages)],
  );
}

export interface LinksRow {
  page_id: string;
  urls: string[];
  anchors: string[];
  rels: string[];
}

export async function replaceLinks(sql: Sql, rows: readonly LinksRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO links (page_id, urls, anchors, rels)
     SELECT page_id, urls, anchors, rels
     FROM json_to_recordset($1::json) AS x (page_id uuid, urls text[], anchors text[], rels text[])
     ON CONFLICT (page_id) DO UPDATE SET urls = excluded.urls, anchors = excluded.anchors, rels = excluded.rels`,
    [toJson(rows)],
  );
}

/** The links a page had when it was last read. */
export async function loadLinks(sql: Sql, urlHash: Uint8Array): Promise<{ url: string; text: string; rel: string }[]> {
  return sql.query(
    `SELECT x.url, x.text, x.rel FROM pages p JOIN links l ON l.page_id = p.id,
       unnest(l.urls, l.anchors, l.rels) AS x (url, text, rel) WHERE p.url_hash = $1`,
    [urlHash],
  );
}

export interface BandRow {
  page_id: string;
  simhash: string;
  bands: number[];
  old_bands: number[];
}

/** Files pages under the bands of their SimHash, and takes changed pages out of their old ones. */
export async function replaceBands(sql: Sql, rows: readonly BandRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `WITH input AS (SELECT * FROM json_to_recordset($1::json) AS x (page_id uuid, simhash bigint, bands int[], old_bands int[])),
     gone AS (
       DELETE FROM page_bands b USING input i
       WHERE cardinality(i.old_bands) > 0 AND b.page_id = i.page_id AND b.band = ANY(i.old_bands) AND NOT b.band = ANY(i.bands)
     )
     INSERT INTO page_bands (band, page_id, simhash) SELECT unnest(bands), page_id, simhash FROM input
     ON CONFLICT (band, page_id) DO UPDATE SET simhash = excluded.simhash`,
    [toJson(rows)],
  );
}

/**
 * For each address the id of an earlier page that differs in three bits of the SimHash at most, and its group. Only a few entries of a band are
 * read: where a site has more similar pages than that, any of them is enough.
 */
export function findNearPages(
  sql: Sql,
  input: readonly { url_hash: string; page_id: string; simhash: string; bands: number[] }[],
): Promise<{ url_hash: string; near_id: string; near_group: string }[]> {
  return sql.query(
    `SELECT i.url_hash, near.page_id AS near_id, coalesce(
       (SELECT d.duplicate_group FROM documents d WHERE d.page_id = near.page_id LIMIT 1), near.page_id) AS near_group
     FROM json_to_recordset($1::json) AS i (url_hash text, page_id uuid, simhash bigint, bands int[])
     CROSS JOIN LATERAL (
       SELECT c.page_id FROM (
         SELECT b.page_id, b.simhash FROM unnest(i.bands) AS wanted (band)
         CROSS JOIN LATERAL (SELECT page_id, simhash FROM page_bands WHERE band = wanted.band LIMIT 16) b
       ) c
       WHERE c.page_id <> i.page_id AND bit_count((c.simhash # i.simhash)::bit(64)) <= 3
       LIMIT 1
     ) near`,
    [toJson(input)],
  );
}

/** Stored responses of a domain, or of all, no longer answer for a crawl. Returns how many would have; the rows see the mark as it was. */
export async function clearResponses(sql: Sql, domain?: string): Promise<number> {
  const rows = await sql.query<{ cleared: number }>(
    `WITH chosen AS (
       SELECT id, responses_cleared_at FROM domains WHERE $1::text IS NULL OR domain = $1 ORDER BY id FOR UPDATE
     ), marked AS (
       UPDATE domains d SET responses_cleared_at = now() FROM chosen WHERE d.id = chosen.id
     )
     SELECT count(*)::int AS cleared FROM pages p JOIN chosen ON chosen.id = p.domain_id
     WHERE p.status = 'fetched' AND p.raw_ref IS NOT NULL AND p.last_crawled_at > chosen.responses_cleared_at`,
    [domain ?? null],
  );
  return rows[0]!.cleared;
}

/** Forgets pages. Their documents leave the index with them: the outbox rows are written in the same statement. */
export async function deletePageRows(
  sql: Sql,
  filter: { domain: string | undefined; ids: readonly string[] | undefined; before: Date | undefined; limit: number },
): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `WITH chosen AS (
       SELECT p.id FROM pages p
       WHERE ($1::text IS NULL OR p.domain_id = (SELECT id FROM domains WHERE domain = $1))
         AND ($2::uuid[] IS NULL OR p.id = ANY ($2)) AND ($3::timestamptz IS NULL OR p.last_crawled_at < $3)
       ORDER BY p.id LIMIT $4
     ), gone AS (
       UPDATE documents SET deleted_at = now() WHERE page_id IN (SELECT id FROM chosen) AND deleted_at IS NULL RETURNING id
     ), queued AS (
       INSERT INTO outbox (document_id, action) SELECT id, 'delete' FROM gone
     ), removed AS (
       DELETE FROM pages WHERE id IN (SELECT id FROM chosen) RETURNING id
     )
     SELECT count(*) AS count FROM removed`,
    [filter.domain ?? null, filter.ids ?? null, filter.before ?? null, filter.limit],
  );
  return rows[0]!.count;
}
