import type { Sql } from '../../ports/database.ts';
import { before } from '../before-id.ts';

export interface PageView {
  id: string;
  url: string;
  domain: string;
  status: 'never_crawled' | 'fetched' | 'failed' | 'blocked';
  http_status: number | null;
  final_url: string | null;
  content_type: string | null;
  content_length: number | null;
  title: string | null;
  description: string | null;
  language: string | null;
  canonical_url: string | null;
  duplicate_of: string | null;
  links_count: number;
  visits: number;
  changes: number;
  error_count: number;
  error_code: string | null;
  fetch_ms: number | null;
  discovered_at: Date;
  last_crawled_at: Date | null;
  last_changed_at: Date | null;
  next_crawl_at: Date | null;
}

const COLUMNS = `p.id, p.url, d.domain, p.status, p.http_status, p.final_url, p.content_type, p.content_length, p.title,
  p.description, p.language, p.canonical_url, p.duplicate_of, p.links_count, p.visits, p.changes, p.error_count, p.error_code, p.fetch_ms,
  p.discovered_at, p.last_crawled_at, p.last_changed_at,
  (SELECT min(t.due_at) FROM tasks t WHERE t.url_hash = p.url_hash AND t.status = 'pending' AND t.visit > 0) AS next_crawl_at`;

export interface PageFilter {
  limit: number;
  domain: string | undefined;
  status: string | undefined;
  query: string | undefined;
}

/** Newest known first, before `beforeId`. */
export function listPagesByAge(sql: Sql, filter: PageFilter, beforeId: string | undefined): Promise<PageView[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM pages p JOIN domains d ON d.id = p.domain_id
     WHERE ($2::text IS NULL OR p.domain_id = (SELECT id FROM domains WHERE domain = $2)) AND ($3::text IS NULL OR p.status = $3)
       AND ($4::text IS NULL OR strpos(lower(p.url), $4) > 0 OR strpos(lower(p.title), $4) > 0)
       AND ${before('p.id', '$5')}
     ORDER BY p.id DESC LIMIT $1`,
    [filter.limit, filter.domain ?? null, filter.status ?? null, filter.query ?? null, beforeId ?? null],
  );
}

/** Latest visited first, before the visit and page given. */
export function listPagesByVisit(
  sql: Sql,
  filter: PageFilter,
  before: readonly [string, string] | undefined,
): Promise<(PageView & { visited: string })[]> {
  return sql.query(
    `SELECT ${COLUMNS}, p.last_crawled_at::text AS visited FROM pages p JOIN domains d ON d.id = p.domain_id
     WHERE p.last_crawled_at IS NOT NULL
       AND ($2::text IS NULL OR p.domain_id = (SELECT id FROM domains WHERE domain = $2)) AND ($3::text IS NULL OR p.status = $3)
       AND ($4::text IS NULL OR strpos(lower(p.url), $4) > 0 OR strpos(lower(p.title), $4) > 0)
       AND ($5::timestamptz IS NULL OR p.last_crawled_at <= $5 AND (p.last_crawled_at, p.id) < ($5, $6::uuid))
     ORDER BY p.last_crawled_at DESC, p.id DESC LIMIT $1`,
    [
      filter.limit,
      filter.domain ?? null,
      filter.status ?? null,
      filter.query ?? null,
      before?.[0] ?? null,
      before?.[1] ?? null,
    ],
  );
}

export interface PageDetailView extends PageView {
  document_id: string | null;
  product_id: string | null;
  etag: string | null;
  last_modified: string | null;
  link_urls: string[] | null;
  link_anchors: string[] | null;
  link_rels: string[] | null;
}

export async function findPageView(sql: Sql, id: string): Promise<PageDetailView | undefined> {
  const rows = await sql.query<PageDetailView>(
    `SELECT ${COLUMNS}, p.etag, p.last_modified, l.urls AS link_urls, l.anchors AS link_anchors, l.rels AS link_rels,
       (SELECT id FROM documents WHERE page_id = p.id AND deleted_at IS NULL LIMIT 1) AS document_id,
       (SELECT id FROM products WHERE page_id = p.id LIMIT 1) AS product_id
     FROM pages p JOIN domains d ON d.id = p.domain_id LEFT JOIN links l ON l.page_id = p.id WHERE p.id = $1`,
    [id],
  );
  return rows[0];
}

export interface VersionRow {
  version: number;
  title: string | null;
  content_hash: string;
  content_length: number;
  fetched_at: Date;
}

/** Newest first: the document as it stands, then what it replaced, below version `before`. */
export function listPageVersionRows(
  sql: Sql,
  pageId: string,
  limit: number,
  before: number | undefined,
): Promise<VersionRow[]> {
  return sql.query(
    `SELECT version, title, encode(content_hash, 'hex') AS content_hash, length(content) AS content_length, fetched_at FROM (
       SELECT version, title, content_hash, content, fetched_at FROM documents WHERE page_id = $1
       UNION ALL
       SELECT v.version, v.title, v.content_hash, v.content, v.fetched_at
       FROM document_versions v JOIN documents d ON d.id = v.document_id AND v.version < d.version WHERE d.page_id = $1
     ) all_versions WHERE $3::int IS NULL OR version < $3 ORDER BY version DESC LIMIT $2`,
    [pageId, limit, before ?? null],
  );
}

export async function readPageVersion(
  sql: Sql,
  pageId: string,
  version: number,
): Promise<{ title: string | null; content: string; fetched_at: Date } | undefined> {
  const rows = await sql.query<{ title: string | null; content: string; fetched_at: Date }>(
    `SELECT title, content, fetched_at FROM documents WHERE page_id = $1 AND version = $2
     UNION ALL
     SELECT v.title, v.content, v.fetched_at FROM document_versions v JOIN documents d ON d.id = v.document_id
     WHERE d.page_id = $1 AND v.version = $2 LIMIT 1`,
    [pageId, version],
  );
  return rows[0];
}
