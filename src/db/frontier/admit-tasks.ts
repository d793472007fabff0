import type { Sql } from '../../ports/database.ts';
import type { CrawlStatus } from '../crawls/states.ts';
import { toJson } from '../json.ts';

export interface NewTask {
  id: string;
  crawl_id: string;
  domain_id: string;
  parent_id: string | null;
  url: string;
  /** SHA-256 of the normalised URL, as hex. */
  url_hash: string;
  depth: number;
  rank: number;
  priority: number;
  score: number | null;
  is_recurring: boolean;
  interval_s: number | null;
  visit: number;
  delay_ms: number;
  max_retries: number;
  created_by: string;
  /** `paused` when the crawl is. */
  status: 'pending' | 'paused';
}

export interface AdmittedTask {
  id: string;
  crawl_id: string;
  domain_id: string;
  priority: number;
}

export interface LockedCrawl {
  id: string;
  /** How many more first visits it may hold. */
  free: number;
  status: CrawlStatus;
  priority: number;
  /** Milliseconds from now until the crawl's next new URL may enter the frontier. */
  admit_in_ms: number;
}

/** Locks crawls in id order, so that no two transactions wait for each other, and reads what admission depends on. */
export function lockCrawls(sql: Sql, crawlIds: readonly string[]): Promise<LockedCrawl[]> {
  return sql.query<LockedCrawl>(
    `SELECT id, max_pages - (pages_discovered - revisits) AS free, status, priority,
       greatest(0, extract(epoch FROM greatest(admit_at, now()) - now()) * 1000)::float8 AS admit_in_ms
     FROM crawls WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    [crawlIds],
  );
}

/**
 * Adds tasks a crawl does not have yet, at most `free` first visits, in the order of their ids. The crawl's row must be
 * locked. Rows that exist already are left out first, so that they do not count. `beyond` are the ids over
 * the limit.
 */
export async function insertTasks(
  sql: Sql,
  tasks: readonly NewTask[],
  crawls: readonly LockedCrawl[],
): Promise<{ admitted: AdmittedTask[]; beyond: string[] }> {
  const rows = await sql.query<AdmittedTask & { beyond: boolean }>(
    `WITH fresh AS (
       SELECT x.*, row_number() OVER (PARTITION BY x.crawl_id, x.visit > 0 ORDER BY x.id) AS nth
       FROM (SELECT DISTINCT ON (crawl_id, url_hash, visit) * FROM json_to_recordset($1::json) AS i (
         id uuid, crawl_id uuid, domain_id uuid, parent_id uuid, url text, url_hash text, depth int, rank float8,
         priority int, score float8, is_recurring boolean, interval_s int, visit int, delay_ms float8, max_retries int,
         created_by text, status text) ORDER BY crawl_id, url_hash, visit, id) x
       WHERE NOT EXISTS (
         SELECT 1 FROM tasks t WHERE t.crawl_id = x.crawl_id AND t.url_hash = decode(x.url_hash, 'hex') AND t.visit = x.visit)
     ), admitted AS (
     INSERT INTO tasks (id, crawl_id, domain_id, parent_id, url, url_hash, depth, rank, priority, score, is_recurring,
       interval_s, visit, ready, due_at, max_retries, created_by, status)
     SELECT f.id, f.crawl_id, f.domain_id, f.parent_id, f.url, decode(f.url_hash, 'hex'), f.depth, f.rank, f.priority, f.score,
       f.is_recurring, f.interval_s, f.visit, f.delay_ms = 0, now() + f.delay_ms * interval '1 ms', f.max_retries, f.created_by,
       f.status
     FROM fresh f JOIN unnest($2::uuid[], $3::int[]) AS c (crawl_id, free) ON c.crawl_id = f.crawl_id
     WHERE f.visit > 0 OR f.nth <= c.free
     ORDER BY f.id
     ON CONFLICT (crawl_id, url_hash, visit) DO NOTHING
     RETURNING id, crawl_id, domain_id, priority
     )
     SELECT *, false AS beyond FROM admitted UNION ALL
     SELECT f.id, f.crawl_id, f.domain_id, f.priority, true
     FROM fresh f JOIN unnest($2::uuid[], $3::int[]) AS c (crawl_id, free) ON c.crawl_id = f.crawl_id WHERE f.visit = 0 AND f.nth > c.free`,
    [toJson(tasks), crawls.map(({ id }) => id), crawls.map(({ free }) => Math.max(0, free))],
  );
  return {
    admitted: rows.filter(({ beyond }) => !beyond),
    beyond: rows.filter(({ beyond }) => beyond).map(({ id }) => id),
  };
}
