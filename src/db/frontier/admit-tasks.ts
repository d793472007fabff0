import type { Sql } from '../../ports/database.ts';
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
  status?: 'pending' | 'paused';
}

export interface AdmittedTask {
  id: string;
  crawl_id: string;
  domain_id: string;
  priority: number;
}

export interface CrawlRoom {
  id: string;
  room: number;
  status: string;
  /** Milliseconds from now until the crawl's next new URL may enter the frontier. */
  admit_in_ms: number;
}

/** Locks crawls in id order (no two transactions wait for each other) and tells how many more tasks each may hold. */
export function lockCrawls(sql: Sql, crawlIds: readonly string[]): Promise<CrawlRoom[]> {
  return sql.query<CrawlRoom>(
    `SELECT id, max_pages - pages_discovered AS room, status,
       greatest(0, extract(epoch FROM greatest(admit_at, now()) - now()) * 1000)::float8 AS admit_in_ms
     FROM crawls WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    [crawlIds],
  );
}

/**
 * Adds tasks a crawl does not have yet, up to its room, in the order of their ids. The crawl's row must be locked. Rows that
 * exist already are left out first, so that they do not use up the room. `beyond` are the ids there was no room for.
 */
export async function insertTasks(
  sql: Sql,
  tasks: readonly NewTask[],
  rooms: readonly CrawlRoom[],
): Promise<{ admitted: AdmittedTask[]; beyond: string[] }> {
  const rows = await sql.query<AdmittedTask & { beyond: boolean }>(
    `WITH fresh AS (
       SELECT x.*, row_number() OVER (PARTITION BY x.crawl_id ORDER BY x.id) AS nth
       FROM (SELECT DISTINCT ON (crawl_id, url_hash, visit) * FROM json_to_recordset($1::json) AS i (
         id uuid, crawl_id uuid, domain_id uuid, parent_id uuid, url text, url_hash text, depth int, rank float8,
         priority int, score float8, is_recurring boolean, interval_s int, visit int, delay_ms int, max_retries int,
         created_by text, status text) ORDER BY crawl_id, url_hash, visit, id) x
       WHERE NOT EXISTS (
         SELECT 1 FROM tasks t WHERE t.crawl_id = x.crawl_id AND t.url_hash = decode(x.url_hash, 'hex') AND t.visit = x.visit)
     ), admitted AS (
     INSERT INTO tasks (id, crawl_id, domain_id, parent_id, url, url_hash, depth, rank, priority, score, is_recurring,
       interval_s, visit, ready, due_at, max_retries, created_by, status)
     SELECT f.id, f.crawl_id, f.domain_id, f.parent_id, f.url, decode(f.url_hash, 'hex'), f.depth, f.rank, f.priority, f.score,
       f.is_recurring, f.interval_s, f.visit, f.delay_ms = 0, now() + f.delay_ms * interval '1 ms', f.max_retries, f.created_by,
       coalesce(f.status, 'pending')
     FROM fresh f JOIN unnest($2::uuid[], $3::int[]) AS r (crawl_id, room) ON r.crawl_id = f.crawl_id
     WHERE f.nth <= r.room
     ORDER BY f.id
     ON CONFLICT (crawl_id, url_hash, visit) DO NOTHING
     RETURNING id, crawl_id, domain_id, priority
     )
     SELECT *, false AS beyond FROM admitted UNION ALL
     SELECT f.id, f.crawl_id, f.domain_id, f.priority, true
     FROM fresh f JOIN unnest($2::uuid[], $3::int[]) AS r (crawl_id, room) ON r.crawl_id = f.crawl_id WHERE f.nth > r.room`,
    [toJson(tasks), rooms.map((room) => room.id), rooms.map((room) => Math.max(0, room.room))],
  );
  return {
    admitted: rows.filter(({ beyond }) => !beyond),
    beyond: rows.filter(({ beyond }) => beyond).map(({ id }) => id),
  };
}

export interface CrawlDelta {
  id: string;
  discovered: number;
  crawled: number;
  failed: number;
  skipped: number;
  cancelled: number;
  depth: number;
  /** New URLs counted against the crawl's admission rate, as milliseconds of it. */
  admitted_ms: number;
  refused: Record<string, { count: number; samples: string[] }>;
}

/** What changes about a crawl; whatever is not named does not. */
export const crawlDelta = (id: string, change: Partial<CrawlDelta> = {}): CrawlDelta => ({
  id,
  discovered: 0,
  crawled: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
  depth: 0,
  admitted_ms: 0,
  refused: {},
  ...change,
});

export interface CrawlState {
  id: string;
  status: string;
  ended: boolean;
}

/**
 * Adds to the counters of locked crawls, and ends those without an open task. The counters alone tell: a crawl ends
 * when every discovered task is in a final state and no job may add more, and it fails when none of them was fetched.
 */
export function updateCrawls(sql: Sql, deltas: readonly CrawlDelta[]): Promise<CrawlState[]> {
  return sql.query<CrawlState>(
    `WITH next AS (
       SELECT c.id, c.status AS before, c.holds,
         c.pages_discovered + x.discovered AS discovered, c.pages_crawled + x.crawled AS crawled,
         c.pages_failed + x.failed AS failed, c.pages_skipped + x.skipped AS skipped,
         c.pages_cancelled + x.cancelled AS cancelled, greatest(c.current_depth, x.depth) AS depth,
         greatest(c.admit_at, now()) + x.admitted_ms * interval '1 ms' AS admit_at,
         merge_refused(c.links_refused, x.refused) AS refused
       FROM json_to_recordset($1::json) AS x (
         id uuid, discovered int, crawled int, failed int, skipped int, cancelled int, depth int, admitted_ms float8, refused jsonb)
       JOIN crawls c ON c.id = x.id
     ), judged AS (
       SELECT *, before IN ('pending', 'running') AND holds = 0 AND discovered > 0
         AND discovered <= crawled + failed + skipped + cancelled AS ended FROM next
     )
     UPDATE crawls c SET
       pages_discovered = j.discovered, pages_crawled = j.crawled, pages_failed = j.failed, pages_skipped = j.skipped,
       pages_cancelled = j.cancelled, current_depth = j.depth, admit_at = j.admit_at, links_refused = j.refused,
       updated_at = now(), started_at = coalesce(c.started_at, CASE WHEN j.crawled + j.failed + j.skipped > 0 THEN now() END),
       status = CASE WHEN j.ended AND j.cancelled = j.discovered THEN 'cancelled'
         WHEN j.ended AND j.crawled = 0 THEN 'failed' WHEN j.ended THEN 'completed'
         WHEN j.before = 'pending' AND j.crawled + j.failed + j.skipped > 0 THEN 'running' ELSE c.status END,
       tell_end = c.tell_end OR j.ended,
       completed_at = CASE WHEN j.ended THEN now() ELSE c.completed_at END,
       error_code = CASE WHEN j.ended AND j.crawled = 0 AND j.cancelled < j.discovered THEN 'NOTHING_FETCHED' ELSE c.error_code END,
       error = CASE WHEN j.ended AND j.crawled = 0 AND j.cancelled < j.discovered THEN 'no page of this crawl could be fetched' ELSE c.error END
     FROM judged j WHERE c.id = j.id
     RETURNING c.id, c.status, j.ended`,
    [toJson(deltas)],
  );
}
