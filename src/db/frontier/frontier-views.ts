import type { Sql } from '../../ports/database.ts';
import { CRAWL_OPEN } from '../crawls/states.ts';
import { oneOf, TASKS_OVER } from '../tasks/states.ts';
import { TASK_COLUMNS, type TaskRow } from '../tasks/tasks.ts';

export interface FrontierFigures {
  waiting: number;
  delayed: number;
  in_flight: number;
  paused: number;
  domains_waiting: number;
  domains_due: number;
  domains_blocked: number;
  circuits_open: number;
  oldest_at: Date | null;
}

/**
 * Each count reads one partial index and stops at `most`: the frontier may hold millions. Beyond it, `waiting` is what the
 * planner estimates for the index.
 */
export async function readFrontierFigures(sql: Sql, most: number): Promise<FrontierFigures> {
  const rows = await sql.query<FrontierFigures>(
    `SELECT
       (SELECT CASE WHEN n < $1 THEN n ELSE greatest(n, (SELECT reltuples FROM pg_class WHERE relname = 'tasks_claim_idx')) END::bigint
         FROM (SELECT count(*) AS n FROM (SELECT FROM tasks WHERE status = 'pending' AND ready LIMIT $1) t) c) AS waiting,
       (SELECT count(*) FROM (SELECT FROM tasks WHERE status = 'pending' AND NOT ready LIMIT $1) t) AS delayed,
       (SELECT count(*) FROM (SELECT FROM tasks WHERE status IN ('crawling', 'parsing') LIMIT $1) t) AS in_flight,
       (SELECT count(*) FROM (SELECT FROM tasks WHERE status = 'paused' LIMIT $1) t) AS paused,
       (SELECT count(*) FROM domains WHERE waiting AND is_active) AS domains_waiting,
       (SELECT count(*) FROM domains WHERE waiting AND is_active AND next_at <= now()) AS domains_due,
       (SELECT count(*) FROM domains WHERE NOT is_active) AS domains_blocked,
       (SELECT count(*) FROM domains WHERE circuit_state <> 'closed') AS circuits_open,
       (SELECT min(created_at) FROM crawls WHERE status IN ('pending', 'running')) AS oldest_at`,
    [most],
  );
  return rows[0]!;
}

/** Where the most waits, among the first `most` waiting tasks. */
export function listBusiestDomains(
  sql: Sql,
  most: number,
): Promise<{ domain: string; waiting: number; next_at: Date | null }[]> {
  return sql.query(
    `SELECT d.domain, w.waiting, CASE WHEN isfinite(d.next_at) THEN d.next_at END AS next_at FROM (
       SELECT domain_id, count(*) AS waiting FROM (SELECT domain_id FROM tasks WHERE status = 'pending' AND ready LIMIT $1) t
       GROUP BY domain_id ORDER BY waiting DESC LIMIT 20
     ) w JOIN domains d ON d.id = w.domain_id ORDER BY w.waiting DESC, d.domain`,
    [most],
  );
}

export function listOpenCrawlIds(sql: Sql): Promise<{ id: string }[]> {
  return sql.query(`SELECT id FROM crawls WHERE ${CRAWL_OPEN()} ORDER BY id`);
}

export type FrontierRow = TaskRow & { domain_id: string; rank: number; due_key: string };

export interface FrontierFilter {
  order: 'turn' | 'time' | 'id';
  ready: boolean;
  crawlId: string | undefined;
  domainId: string | undefined;
  /** The keys of the last row of the page before, in the order's own make-up. */
  after: readonly unknown[] | undefined;
  limit: number;
}

const ORDERS = {
  turn: { keys: 't.domain_id, t.priority, t.rank, t.id', casts: ['uuid', 'int', 'float8', 'uuid'] },
  time: { keys: 't.due_at, t.id', casts: ['timestamptz', 'uuid'] },
  id: { keys: 't.id', casts: ['uuid'] },
};

/**
 * A list page of waiting tasks. Each order follows an index: of claims (`turn`), of times to come (`time`), or of a crawl's open
 * tasks (`id`). Conditions that are not set are left out, so that the planner sees which index fits.
 */
export function listFrontierRows(sql: Sql, filter: FrontierFilter): Promise<FrontierRow[]> {
  const { keys, casts } = ORDERS[filter.order];
  const values: unknown[] = [filter.limit];
  const bind = (value: unknown, cast: string) => `$${values.push(value)}::${cast}`;
  const where = [`t.status = 'pending'`, filter.ready ? 't.ready' : 'NOT t.ready'];
  if (filter.crawlId !== undefined)
    where.push(`NOT ${oneOf(TASKS_OVER, 't.status')} AND t.crawl_id = ${bind(filter.crawlId, 'uuid')}`);
  if (filter.domainId !== undefined) where.push(`t.domain_id = ${bind(filter.domainId, 'uuid')}`);
  if (filter.after !== undefined)
    where.push(`(${keys}) > (${filter.after.map((value, at) => bind(value, casts[at]!)).join(', ')})`);
  return sql.query<FrontierRow>(
    `SELECT ${TASK_COLUMNS}, t.domain_id, t.rank, t.due_at::text AS due_key FROM tasks t JOIN domains d ON d.id = t.domain_id
     WHERE ${where.join(' AND ')} ORDER BY ${keys} LIMIT $1`,
    values,
  );
}
