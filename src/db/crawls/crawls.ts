import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import type { StoredHeaders } from '../stored-headers.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { CrawlStatus } from './states.ts';

export interface CrawlRow {
  id: string;
  kind: 'urls' | 'batch' | 'deep' | 'source' | 'recurring' | 'import';
  status: CrawlStatus;
  urls: string[];
  strategy: 'bfs' | 'dfs' | 'best_first';
  max_depth: number;
  max_pages: number;
  /** Least time between two requests of the crawl to a domain; 0: what the domain allows. */
  pace_ms: number;
  priority: number;
  keywords: string[];
  score_threshold: number;
  options: CrawlOptions;
  headers: StoredHeaders;
  tags: string[];
  source_id: string | null;
  crawl_config_id: string | null;
  collection_id: string | null;
  webhook_url: string | null;
  webhook_headers: StoredHeaders;
  pages_discovered: number;
  pages_crawled: number;
  pages_failed: number;
  pages_skipped: number;
  pages_cancelled: number;
  visits_planned: number;
  current_depth: number;
  links_refused: Record<string, { count: number; samples: string[] }>;
  error: string | null;
  error_code: string | null;
  created_by: string;
  /** The id in created_by: a user or a key. Null: the installation itself. */
  owner: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  updated_at: Date;
  /** The number of its last event. */
  event_seq: number;
  /** Write an event for each page. */
  page_events: boolean;
}

export type NewCrawl = Pick<
  CrawlRow,
  | 'id'
  | 'kind'
  | 'urls'
  | 'strategy'
  | 'max_depth'
  | 'max_pages'
  | 'pace_ms'
  | 'priority'
  | 'keywords'
  | 'score_threshold'
  | 'options'
  | 'headers'
  | 'tags'
  | 'source_id'
  | 'crawl_config_id'
  | 'collection_id'
  | 'webhook_url'
  | 'webhook_headers'
  | 'created_by'
>;

export async function insertCrawl(sql: Sql, crawl: NewCrawl): Promise<void> {
  await sql.query(
    `INSERT INTO crawls (id, kind, urls, strategy, max_depth, max_pages, pace_ms, priority, keywords, score_threshold, options, headers, tags, source_id,
       crawl_config_id, collection_id, webhook_url, webhook_headers, created_by, page_events)
     SELECT id, kind, urls, strategy, max_depth, max_pages, pace_ms, priority, keywords, score_threshold, options, headers, tags, source_id,
       crawl_config_id, collection_id, webhook_url, webhook_headers, created_by, coalesce((options ->> 'page_events')::boolean, false)
     FROM json_populate_record(NULL::crawls, $1::json)`,
    [toJson(crawl)],
  );
}

export async function getCrawlRow(sql: Sql, id: string): Promise<CrawlRow | undefined> {
  const [row] = await sql.query<CrawlRow>('SELECT * FROM crawls WHERE id = $1', [id]);
  return row;
}

export async function countOpenCrawls(sql: Sql, kind: CrawlRow['kind']): Promise<number> {
  const [row] = await sql.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM crawls WHERE kind = $1 AND status IN ('pending', 'running')`,
    [kind],
  );
  return row?.open ?? 0;
}

/** Newest first; `before` is the last id of the page before. */
export function listCrawlRows(
  sql: Sql,
  filter: { status?: string; source_id?: string; owner?: string; before?: string; limit: number },
): Promise<CrawlRow[]> {
  return sql.query<CrawlRow>(
    `SELECT * FROM crawls
     WHERE ($1::text IS NULL OR status = $1) AND ($2::uuid IS NULL OR source_id = $2) AND ($3::uuid IS NULL OR id < $3)
       AND ($5::uuid IS NULL OR owner = $5)
     ORDER BY id DESC LIMIT $4`,
    [filter.status ?? null, filter.source_id ?? null, filter.before ?? null, filter.limit, filter.owner ?? null],
  );
}

/** The newest crawl that began at this address. */
export async function findCrawlOf(sql: Sql, url: string): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>(
    'SELECT id FROM crawls WHERE urls = ARRAY[$1] ORDER BY id DESC LIMIT 1',
    [url],
  );
  return row?.id;
}

export async function setCrawlPriority(sql: Sql, id: string, priority: number): Promise<void> {
  await sql.query('UPDATE crawls SET priority = $2, updated_at = now() WHERE id = $1', [id, priority]);
}

/** Keeps a crawl from ending while a job may still add tasks to it. */
export async function addHold(sql: Sql, id: string): Promise<void> {
  await sql.query('UPDATE crawls SET holds = holds + 1 WHERE id = $1', [id]);
}

export async function releaseHold(sql: Sql, id: string): Promise<void> {
  await sql.query('UPDATE crawls SET holds = greatest(0, holds - 1) WHERE id = $1', [id]);
}
