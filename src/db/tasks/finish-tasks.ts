import type { Sql } from '../../ports/database.ts';
import { DELAY_MS } from '../frontier/pace.ts';
import { toJson } from '../json.ts';
import { HELD_TASKS, movable, oneOf, type TASK_MOVES } from './states.ts';

/** How one attempt at a task ended. `status` pending means: try again after `delay_ms`; downloaded: a parser goes on. */
export interface TaskOutcome {
  id: string;
  attempt: number;
  status: (typeof TASK_MOVES.finish.to | typeof TASK_MOVES.download.to)[number];
  code: string | null;
  message: string | null;
  http_status: number | null;
  response_ms: number | null;
  raw_ref: string | null;
  raw_meta: Record<string, string> | null;
  delay_ms: number;
  /** 1 when this attempt counts against the retries. */
  failed: number;
  /** A failed task is tried again by itself after this long; absent: never. */
  retry_ms?: number;
}

export interface FinishedTask {
  id: string;
  attempt: number;
  crawl_id: string;
  depth: number;
  status: string;
}

/**
 * Ends attempts. Only rows whose attempt and worker still match change: the write of a worker that lost its lease
 * returns nothing, and whatever came with it must not be stored.
 */
export function finishTasks(sql: Sql, workerId: string, outcomes: readonly TaskOutcome[]): Promise<FinishedTask[]> {
  return sql.query<FinishedTask>(
    `UPDATE tasks t SET
       status = x.status, code = x.code, message = x.message, http_status = x.http_status, response_ms = x.response_ms,
       raw_ref = coalesce(x.raw_ref, t.raw_ref), raw_meta = coalesce(x.raw_meta, t.raw_meta),
       failures = t.failures + x.failed, ready = x.delay_ms = 0, due_at = now() + x.delay_ms * interval '1 ms',
       lease_until = NULL, retry_at = now() + x.retry_ms * interval '1 ms', parse_only = x.status = 'downloaded' OR (t.parse_only AND x.status = 'pending'), alone = false,
       completed_at = CASE WHEN x.status IN ('pending', 'downloaded') THEN NULL ELSE now() END
     FROM json_to_recordset($2::json) AS x (
       id uuid, attempt int, status text, code text, message text, http_status int, response_ms int,
       raw_ref text, raw_meta jsonb, delay_ms int, failed int, retry_ms float8)
     WHERE t.id = x.id AND t.attempt = x.attempt AND t.worker_id = $1 AND ${movable('finish', 't.status')}
     RETURNING t.id, t.attempt, t.crawl_id, t.depth, t.status`,
    [workerId, toJson(outcomes)],
  );
}

export interface TaskError {
  id: string;
  task_id: string;
  attempt: number;
  category: string;
  code: string;
  message: string;
  stack: string | null;
  worker_id: string;
  proxy_id: string | null;
}

export async function insertTaskErrors(sql: Sql, errors: readonly TaskError[]): Promise<void> {
  if (errors.length === 0) return;
  await sql.query(
    `INSERT INTO task_errors (id, task_id, attempt, category, code, message, stack, worker_id, proxy_id)
     SELECT id, task_id, attempt, category, code, message, stack, worker_id, proxy_id
     FROM json_to_recordset($1::json) AS x (
       id uuid, task_id uuid, attempt int, category text, code text, message text, stack text, worker_id text, proxy_id uuid)`,
    [toJson(errors)],
  );
}

/**
 * Returns expired leases to the frontier, and quarantines tasks that crash their worker repeatedly. A worker that
 * vanishes is hardly ever the fault of a page, so the number of losses a page may have beside others is large.
 *
 * A request of it may have been under way until now: when it was answered is not known. A domain with a delay stays closed for
 * that delay from the moment the loss is noticed. Tasks before domains, and these in their order, as where pages are stored.
 */
export function reapTasks(
  sql: Sql,
  limit: number,
): Promise<{ id: string; crawl_id: string; domain_id: string; status: string }[]> {
  return sql.query(
    `WITH lost AS (
       SELECT id, domain_id, proxy_id, status = 'crawling' AS asked FROM tasks WHERE ${movable('reap')} AND lease_until < now()
       ORDER BY lease_until LIMIT $1 FOR UPDATE SKIP LOCKED
     ), ended AS (
       UPDATE tasks t SET
         lost_workers = t.lost_workers + 1,
         lost_alone = t.lost_alone + t.alone::int,
         alone = false, lease_until = NULL,
         -- Growing pauses, so that a page that was beside a dying worker by chance is not the first to meet the next one.
         ready = t.lost_workers = 0,
         due_at = now() + CASE WHEN t.lost_workers = 0 THEN 0 ELSE 1000 * power(3, t.lost_alone + t.alone::int) * (0.5 + random()) END * interval '1 ms',
         quarantined = t.lost_alone + t.alone::int >= 3,
         status = CASE WHEN t.lost_alone + t.alone::int >= 3 OR t.lost_workers >= 1000 THEN 'failed' ELSE 'pending' END,
         code = CASE WHEN t.lost_alone + t.alone::int >= 3 THEN 'QUARANTINED' ELSE 'WORKER_LOST' END,
         message = 'the worker that held this task vanished',
         completed_at = CASE WHEN t.lost_alone + t.alone::int >= 3 OR t.lost_workers >= 1000 THEN now() END
       FROM lost WHERE t.id = lost.id
       RETURNING t.id, t.crawl_id, t.domain_id, t.status, t.attempt, t.worker_id, t.code, t.message
     ), logged AS (
       INSERT INTO task_errors (id, task_id, attempt, category, code, message, worker_id)
       SELECT gen_random_uuid(), id, attempt, 'internal', code, message, worker_id FROM ended
     ), gate AS MATERIALIZED (
       SELECT d.id, clock_timestamp() + ${DELAY_MS} * interval '1 ms' AS opens_at FROM domains d
       WHERE d.id IN (SELECT domain_id FROM lost WHERE asked) AND ${DELAY_MS} > 0 ORDER BY d.id FOR UPDATE
     ), through AS (
       UPDATE domain_proxies dp SET next_at = greatest(dp.next_at, gate.opens_at), open_at = greatest(dp.open_at, gate.opens_at)
       FROM gate WHERE dp.domain_id = gate.id AND dp.proxy_id IN (SELECT proxy_id FROM lost WHERE asked AND domain_id = gate.id)
     ), closed AS (
       UPDATE domains d SET next_at = greatest(d.next_at, gate.opens_at), open_at = greatest(d.open_at, gate.opens_at)
       FROM gate WHERE d.id = gate.id AND EXISTS (SELECT 1 FROM lost WHERE asked AND domain_id = gate.id AND proxy_id IS NULL)
     )
     SELECT id, crawl_id, domain_id, status FROM ended`,
    [limit],
  );
}

/** Ends the leases of workers that are known to be dead, so that the reaper need not wait for them to run out. */
export async function expireLeases(sql: Sql, workerIds: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE tasks SET lease_until = now() - interval '1 ms'
     WHERE worker_id = ANY($1::text[]) AND ${oneOf(HELD_TASKS)}`,
    [workerIds],
  );
}

/** While a suspect's page is being read: only then can the page be what ends the worker. */
export async function markAlone(sql: Sql, id: string, attempt: number, alone: boolean): Promise<void> {
  await sql.query('UPDATE tasks SET alone = $3 WHERE id = $1 AND attempt = $2', [id, attempt, alone]);
}
