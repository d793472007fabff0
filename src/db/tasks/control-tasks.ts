import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

/** What a control step may reach: one task, all of a crawl, or all of a domain. */
export interface TaskSelection {
  taskId?: string | undefined;
  crawlId?: string | undefined;
  domainId?: string | undefined;
}

/** How many tasks of a crawl left one status for another: the caller moves the crawl's counters with them. */
export interface Moved {
  crawl_id: string;
  from_status: string;
  moved: number;
}

const SELECTED = `($1::uuid IS NULL OR t.id = $1) AND ($2::uuid IS NULL OR t.crawl_id = $2) AND ($3::uuid IS NULL OR t.domain_id = $3)
  AND ($1::uuid IS NOT NULL OR $2::uuid IS NOT NULL OR $3::uuid IS NOT NULL)`;

const values = (selection: TaskSelection) => [
  selection.taskId ?? null,
  selection.crawlId ?? null,
  selection.domainId ?? null,
];

/** Moves tasks and counts what moved; `assign` and `where` are constants of this file, never input. */
function move(
  sql: Sql,
  selection: TaskSelection,
  where: string,
  assign: string,
  more: unknown[] = [],
): Promise<Moved[]> {
  return sql.query<Moved>(
    `WITH chosen AS (
       SELECT t.id, t.status FROM tasks t WHERE ${SELECTED} AND ${where} ORDER BY t.id FOR UPDATE
     ), moved AS (
       UPDATE tasks t SET ${assign} FROM chosen WHERE t.id = chosen.id RETURNING t.crawl_id, chosen.status AS from_status
     )
     SELECT crawl_id, from_status, count(*)::int AS moved FROM moved GROUP BY 1, 2`,
    [...values(selection), ...more],
  );
}

const OPEN = `t.status IN ('pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing')`;

/** A task under way is paused too: the result its worker brings is refused. */
export const pauseTasks = (sql: Sql, selection: TaskSelection) =>
  move(sql, selection, OPEN, `status = 'paused', lease_until = NULL`);

export const resumeTasks = (sql: Sql, selection: TaskSelection) =>
  move(sql, selection, `t.status = 'paused'`, `status = 'pending', ready = t.due_at <= now()`);

export const cancelTasks = (sql: Sql, selection: TaskSelection) =>
  move(
    sql,
    selection,
    `(${OPEN} OR t.status = 'paused')`,
    `status = 'cancelled', lease_until = NULL, completed_at = now(), code = 'CANCELLED'`,
  );

/** A task as if it had never been tried. */
export const RESET = `status = 'pending', failures = 0, lost_workers = 0, lost_alone = 0, alone = false, quarantined = false, code = NULL,
  message = NULL, started_at = NULL, completed_at = NULL, lease_until = NULL, retry_at = NULL`;

export interface RestartOptions {
  priority?: number | undefined;
  scheduledAt?: Date | undefined;
  /** Only tasks in these states. */
  statuses: readonly string[];
  failedAfter?: Date | undefined;
  code?: string | undefined;
  limit?: number | undefined;
  parseOnly: boolean;
}

/** Runs tasks again from the start, or from the stored response alone (`parseOnly`). */
export function restartTasks(sql: Sql, selection: TaskSelection, options: RestartOptions): Promise<Moved[]> {
  return sql.query<Moved>(
    `WITH chosen AS (
       SELECT t.id, t.status FROM tasks t
       WHERE ($1::uuid IS NULL OR t.id = $1) AND ($2::uuid IS NULL OR t.crawl_id = $2) AND ($3::uuid IS NULL OR t.domain_id = $3)
         AND t.status = ANY($4::text[]) AND ($5::timestamptz IS NULL OR t.completed_at >= $5) AND ($6::text IS NULL OR t.code = $6)
         AND (NOT $9::boolean OR t.raw_ref IS NOT NULL)
       ORDER BY t.id LIMIT $7 FOR UPDATE
     ), moved AS (
       UPDATE tasks t SET ${RESET}, dlq_retries = 0, parse_only = $9::boolean, priority = coalesce($8::int, t.priority),
         due_at = coalesce($10::timestamptz, now()), ready = $10::timestamptz IS NULL OR $10::timestamptz <= now()
       FROM chosen WHERE t.id = chosen.id RETURNING t.crawl_id, chosen.status AS from_status
     )
     SELECT crawl_id, from_status, count(*)::int AS moved FROM moved GROUP BY 1, 2`,
    [
      ...values(selection),
      options.statuses,
      options.failedAfter ?? null,
      options.code ?? null,
      options.limit ?? 1_000_000,
      options.priority ?? null,
      options.parseOnly,
      options.scheduledAt ?? null,
    ],
  );
}

export const setTaskPriority = (sql: Sql, selection: TaskSelection, priority: number) =>
  move(sql, selection, `(${OPEN} OR t.status = 'paused')`, 'priority = $4::int', [priority]);

/** The domains whose frontier a control step may have filled. */
export function domainsOf(sql: Sql, selection: TaskSelection): Promise<{ id: string }[]> {
  return sql.query(
    `SELECT DISTINCT t.domain_id AS id FROM tasks t WHERE ${SELECTED} AND t.status = 'pending'`,
    values(selection),
  );
}

/** Counters follow tasks that were moved by hand; a crawl whose last open task went ends, one that got some goes on. */
export async function applyMoves(
  sql: Sql,
  moves: readonly { crawl_id: string; crawled: number; failed: number; skipped: number; cancelled: number }[],
): Promise<void> {
  if (moves.length === 0) return;
  await sql.query(
    `WITH next AS (
       SELECT c.id, c.pages_crawled + x.crawled AS crawled, c.pages_failed + x.failed AS failed, c.pages_skipped + x.skipped AS skipped,
         c.pages_cancelled + x.cancelled AS cancelled, c.pages_discovered AS discovered, c.status AS before, c.holds
       FROM json_to_recordset($1::json) AS x (crawl_id uuid, crawled int, failed int, skipped int, cancelled int)
       JOIN crawls c ON c.id = x.crawl_id ORDER BY c.id FOR UPDATE OF c
     ), counted AS (
       SELECT *, discovered <= crawled + failed + skipped + cancelled AS done FROM next
     ), judged AS (
       SELECT *, done AND holds = 0 AND before IN ('pending', 'running', 'paused') AS ends,
         NOT done AND before IN ('completed', 'failed', 'cancelled') AS opens FROM counted
     )
     UPDATE crawls c SET pages_crawled = j.crawled, pages_failed = j.failed, pages_skipped = j.skipped, pages_cancelled = j.cancelled,
       status = CASE WHEN j.opens THEN 'running' WHEN NOT j.ends THEN c.status
         WHEN j.crawled > 0 THEN 'completed' WHEN j.cancelled = j.discovered THEN 'cancelled' ELSE 'failed' END,
       tell_end = c.tell_end OR j.ends,
       completed_at = CASE WHEN j.opens THEN NULL WHEN j.ends THEN now() ELSE c.completed_at END,
       error = CASE WHEN j.opens THEN NULL WHEN j.ends AND j.crawled = 0 AND j.cancelled < j.discovered
         THEN 'no page of this crawl could be fetched' ELSE c.error END,
       error_code = CASE WHEN j.opens THEN NULL WHEN j.ends AND j.crawled = 0 AND j.cancelled < j.discovered
         THEN 'NOTHING_FETCHED' ELSE c.error_code END,
       updated_at = now()
     FROM judged j WHERE c.id = j.id`,
    [toJson(moves)],
  );
}

export async function setCrawlStatus(sql: Sql, id: string, status: string, from: readonly string[]): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE crawls SET status = $2, updated_at = now(), tell_end = tell_end OR $2 = 'cancelled', completed_at = CASE WHEN $2 = 'cancelled' THEN now() END
     WHERE id = $1 AND status = ANY($3::text[]) RETURNING id`,
    [id, status, from],
  );
  return rows.length > 0;
}
