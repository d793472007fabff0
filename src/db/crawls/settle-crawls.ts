import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { oneOf } from '../tasks/states.ts';
import { CRAWL_MOVES, type CrawlStatus, type CrawlStep } from './states.ts';

export type Refusals = Record<string, { count: number; samples: string[] }>;

export interface CrawlDelta {
  id: string;
  discovered: number;
  crawled: number;
  failed: number;
  skipped: number;
  cancelled: number;
  planned: number;
  revisits: number;
  /** Tasks that are open again: a crawl that is over goes on. */
  opened: number;
  depth: number;
  /** New URLs counted against the crawl's admission rate, as milliseconds of it. */
  admitted_ms: number;
  refused: Refusals;
}

/** What changes about a crawl; whatever is not named does not. */
export const crawlDelta = (id: string, change: Partial<CrawlDelta> = {}): CrawlDelta => ({
  id,
  discovered: 0,
  crawled: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
  planned: 0,
  revisits: 0,
  opened: 0,
  depth: 0,
  admitted_ms: 0,
  refused: {},
  ...change,
});

export interface CrawlState {
  id: string;
  status: CrawlStatus;
  ended: boolean;
}

/**
 * Adds to the counters of crawls and moves their states with them; the one statement that starts, ends and opens a crawl
 * as its tasks move (crawls/states.ts). It locks the crawls in the order of their ids, after the tasks: the order used everywhere.
 *
 * The counters alone decide. A crawl ends when every discovered task is over and no job may add more, and it fails when
 * none of them was fetched.
 */
export async function settleCrawls(sql: Sql, deltas: readonly CrawlDelta[]): Promise<CrawlState[]> {
  if (deltas.length === 0) return [];
  return sql.query<CrawlState>(SETTLE, [toJson(deltas)]);
}

const SETTLE = `
WITH next AS (
  SELECT c.id, c.status AS before, c.holds, x.opened,
    c.pages_discovered + x.discovered AS discovered, c.pages_crawled + x.crawled AS crawled,
    c.pages_failed + x.failed AS failed, c.pages_skipped + x.skipped AS skipped,
    c.pages_cancelled + x.cancelled AS cancelled, c.visits_planned + x.planned AS planned, c.revisits + x.revisits AS revisits,
    greatest(c.current_depth, x.depth) AS depth,
    greatest(c.admit_at, now()) + x.admitted_ms * interval '1 ms' AS admit_at,
    merge_refused(c.links_refused, x.refused) AS refused
  FROM json_to_recordset($1::json) AS x (
    id uuid, discovered int, crawled int, failed int, skipped int, cancelled int, planned int, revisits int, opened int,
    depth int, admitted_ms float8, refused jsonb)
  JOIN crawls c ON c.id = x.id ORDER BY c.id FOR UPDATE OF c
), counted AS (
  SELECT *, discovered > 0 AND discovered <= crawled + failed + skipped + cancelled AS done FROM next
), judged AS (
  SELECT *, done AND holds = 0 AND ${oneOf(CRAWL_MOVES.end.from, 'before')} AS ends,
    NOT done AND opened > 0 AND ${oneOf(CRAWL_MOVES.open.from, 'before')} AS opens,
    ${oneOf(CRAWL_MOVES.start.from, 'before')} AND crawled + failed + skipped > 0 AS starts,
    crawled = 0 AND cancelled < discovered AS nothing
  FROM counted
)
UPDATE crawls c SET
  pages_discovered = j.discovered, pages_crawled = j.crawled, pages_failed = j.failed, pages_skipped = j.skipped,
  pages_cancelled = j.cancelled, visits_planned = j.planned, revisits = j.revisits, current_depth = j.depth,
  admit_at = j.admit_at, links_refused = j.refused, updated_at = now(),
  started_at = coalesce(c.started_at, CASE WHEN j.starts THEN now() END),
  status = CASE WHEN j.ends AND j.crawled > 0 THEN 'completed' WHEN j.ends AND j.nothing THEN 'failed' WHEN j.ends THEN 'cancelled'
    WHEN j.opens OR j.starts THEN 'running' ELSE c.status END,
  completed_at = CASE WHEN j.ends THEN now() WHEN j.opens THEN NULL ELSE c.completed_at END,
  error_code = CASE WHEN j.ends AND j.nothing THEN 'NOTHING_FETCHED' WHEN j.opens THEN NULL ELSE c.error_code END,
  error = CASE WHEN j.ends AND j.nothing THEN 'no page of this crawl could be fetched' WHEN j.opens THEN NULL ELSE c.error END
FROM judged j WHERE c.id = j.id
RETURNING c.id, c.status, j.ends AS ended`;

/** How many tasks of a crawl and domain left one phase (phaseOf in tasks/states.ts) for another. */
export interface Moved {
  crawl_id: string;
  domain_id: string;
  from_phase: string;
  to_phase: string;
  revisit: boolean;
  moved: number;
}

const COUNTERS: Record<string, 'crawled' | 'failed' | 'skipped' | 'cancelled' | undefined> = {
  completed: 'crawled',
  failed: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

/** Moves the counters of crawls along with tasks that went to another phase; returns how many tasks moved. */
export async function settleMoves(sql: Sql, moves: readonly Moved[]): Promise<number> {
  const deltas = new Map<string, CrawlDelta>();
  let total = 0;
  for (const { crawl_id, from_phase, to_phase, revisit, moved } of moves) {
    const delta = deltas.get(crawl_id) ?? crawlDelta(crawl_id);
    deltas.set(crawl_id, delta);
    const left = COUNTERS[from_phase];
    const entered = COUNTERS[to_phase];
    if (left !== undefined) delta[left] -= moved;
    if (entered !== undefined) delta[entered] += moved;
    const planned = Number(to_phase === 'planned') - Number(from_phase === 'planned');
    delta.planned += planned * moved;
    delta.discovered -= planned * moved;
    if (revisit) delta.revisits -= planned * moved;
    if (entered === undefined && to_phase !== 'planned' && (left !== undefined || planned !== 0)) delta.opened += moved;
    total += moved;
  }
  await settleCrawls(sql, [...deltas.values()]);
  return total;
}

/** Changes a crawl's status by hand; false when it does not take this step from where it is. */
export async function stepCrawl(sql: Sql, id: string, step: CrawlStep): Promise<boolean> {
  const move: { from: readonly CrawlStatus[]; to: readonly CrawlStatus[]; planned?: readonly CrawlStatus[] } =
    CRAWL_MOVES[step];
  const rows = await sql.query(
    `UPDATE crawls SET status = $2, updated_at = now(), completed_at = CASE WHEN $2 = 'cancelled' THEN now() END
     WHERE id = $1 AND (status = ANY($3::text[]) OR visits_planned > 0 AND status = ANY($4::text[])) RETURNING id`,
    [id, move.to[0], move.from, move.planned ?? []],
  );
  return rows.length > 0;
}

/** Notes that tasks of these crawls were claimed. Used inside the claim, which waits for no lock. */
export const START_CRAWLS = (claimed: string) => `
  UPDATE crawls c SET status = 'running', started_at = coalesce(c.started_at, now()), updated_at = now()
  FROM (SELECT id FROM crawls WHERE id IN (${claimed}) AND ${oneOf(CRAWL_MOVES.start.from)} FOR UPDATE SKIP LOCKED) fresh
  WHERE c.id = fresh.id RETURNING c.id`;
