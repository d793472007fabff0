import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';

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
  domain: string | undefined;
  status: string | undefined;
  query: string | undefined;
}

/** Newest known, or latest visited. */
export const PAGE_SORTS = {
  discovered: newestFirst('p.id'),
  visited: {
    keys: [
      { sql: 'p.last_crawled_at', type: 'timestamptz', nullable: true },
      { sql: 'p.id', type: 'uuid' },
    ],
    order: 'desc',
  },
} satisfies Sorts;

export const listPageViews = (filter: PageFilter): Listing<PageView> => ({
  columns: COLUMNS,
  from: 'pages p JOIN domains d ON d.id = p.domain_id',
  filters: [
    ['p.domain_id = (SELECT id FROM domains WHERE domain = ?)', filter.domain],
    ['p.status = ?', filter.status],
    ['strpos(lower(p.url), ?) > 0 OR strpos(lower(p.title), ?) > 0', filter.query],
  ],
});

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

export const VERSION_SORTS = { version: { keys: [{ sql: 'version', type: 'int' }], order: 'desc' } } satisfies Sorts;

/** The document as it stands, and what it replaced. */
export const listPageVersionRows = (pageId: string): Listing<VersionRow> => ({
  columns: `version, title, encode(content_hash, 'hex') AS content_hash, length(content) AS content_length, fetched_at`,
  from: `(SELECT page_id, version, title, content_hash, content, fetched_at FROM documents
     UNION ALL
     SELECT d.page_id, v.version, v.title, v.content_hash, v.content, v.fetched_at
     FROM document_versions v JOIN documents d ON d.id = v.document_id AND v.version < d.version) all_versions`,
  filters: [['page_id = ?', pageId]],
});

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

export interface StoredResponseRow {
  url: string;
  raw_ref: string | null;
  raw_meta: Record<string, string> | null;
}

/** Where the last response of a page is stored. */
export async function findStoredResponse(sql: Sql, pageId: string): Promise<StoredResponseRow | undefined> {
  const rows = await sql.query<StoredResponseRow>('SELECT url, raw_ref, raw_meta FROM pages WHERE id = $1', [pageId]);
  return rows[0];
}
