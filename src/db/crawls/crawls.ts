import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { type Listing, newestFirst } from '../listing.ts';
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
  /** The person behind created_by, also where that was a key. */
  user_id: string | null;
  /** What the person is called, or the key where it belongs to no person; null when they are gone. */
  owner_name: string | null;
  /** It changes no document of another collection. */
  is_bound: boolean;
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
  | 'created_by'
> &
  Partial<Pick<CrawlRow, 'user_id' | 'is_bound'>>;

export async function insertCrawl(sql: Sql, crawl: NewCrawl): Promise<void> {
  await sql.query(
    `INSERT INTO crawls (id, kind, urls, strategy, max_depth, max_pages, pace_ms, priority, keywords, score_threshold, options, headers, tags, source_id,
       crawl_config_id, collection_id, created_by, user_id, is_bound, page_events)
     SELECT id, kind, urls, strategy, max_depth, max_pages, pace_ms, priority, keywords, score_threshold, options, headers, tags, source_id,
       crawl_config_id, collection_id, created_by, user_id, coalesce(is_bound, false), coalesce((options ->> 'page_events')::boolean, false)
     FROM json_populate_record(NULL::crawls, $1::json)`,
    [toJson(crawl)],
  );
}

/** Crawls with the name of who they belong to. */
const CRAWL_COLUMNS = 'c.*, coalesce(u.email, k.name) AS owner_name';
const CRAWL_TABLES = 'crawls c LEFT JOIN users u ON u.id = c.user_id LEFT JOIN api_keys k ON k.id = c.owner';
const CRAWL_ROWS = `SELECT ${CRAWL_COLUMNS} FROM ${CRAWL_TABLES}`;

export async function getCrawlRow(sql: Sql, id: string): Promise<CrawlRow | undefined> {
  const [row] = await sql.query<CrawlRow>(`${CRAWL_ROWS} WHERE c.id = $1`, [id]);
  return row;
}

/** The collection a crawl fills, null for none; undefined: there is no such crawl. */
export async function findCrawlCollection(sql: Sql, id: string): Promise<string | null | undefined> {
  const [row] = await sql.query<{ collection_id: string | null }>('SELECT collection_id FROM crawls WHERE id = $1', [
    id,
  ]);
  return row?.collection_id;
}

export async function countOpenCrawls(sql: Sql, kind: CrawlRow['kind']): Promise<number> {
  const [row] = await sql.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM crawls WHERE kind = $1 AND status IN ('pending', 'running')`,
    [kind],
  );
  return row?.open ?? 0;
}

export const CRAWL_SORTS = { created: newestFirst('c.id') };

export const listCrawlRows = (filter: {
  status: string | undefined;
  kind: string | undefined;
  sourceId: string | undefined;
  /** A key, or a person: theirs are also the crawls of their keys. */
  owner: string | undefined;
  /** Only of these collections. */
  within: readonly string[] | undefined;
}): Listing<CrawlRow> => ({
  columns: CRAWL_COLUMNS,
  from: CRAWL_TABLES,
  filters: [
    ['c.status = ?', filter.status],
    ['c.kind = ?', filter.kind],
    ['c.source_id = ?', filter.sourceId],
    ['c.owner = ? OR c.user_id = ?', filter.owner],
    ['c.collection_id = ANY (?::uuid[])', filter.within],
  ],
});

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
