import type { Sql } from '../../ports/database.ts';
import { movable } from '../tasks/states.ts';
import type { ClaimedTask } from './frontier.ts';

export interface TakeOverLimits {
  workerId: string;
  max: number;
  leaseMs: number;
  /** Only these; absent: the best of all. */
  ids?: readonly string[] | undefined;
}

/** No request is sent for what is taken over, so that it has no turn of its domain. */
const NO_TURN = {
  starts_crawl: false,
  delay_ms: 0,
  pace_ms: 0,
  wait_ms: 0,
  turn: 1,
  step_ms: 0,
  length_ms: 0,
  turn_end: '-infinity',
  proxy_id: null,
  proxy: null,
};

/**
 * Takes tasks whose response is stored: those a fetcher has downloaded, and those that only have to be read again. Each
 * take-over raises `attempt` and sets a lease, as a claim does.
 */
export async function takeOverTasks(sql: Sql, { workerId, max, leaseMs, ids }: TakeOverLimits): Promise<ClaimedTask[]> {
  const rows = await sql.query<Omit<ClaimedTask, keyof typeof NO_TURN>>(
    `WITH found AS (
       SELECT t.id FROM tasks t
       WHERE (${movable('take_over', 't.status')} OR (t.status = 'pending' AND t.ready AND t.parse_only))
         AND ($4::uuid[] IS NULL OR t.id = ANY($4::uuid[]))
       ORDER BY t.priority, t.id LIMIT $2 FOR UPDATE SKIP LOCKED
     )
     UPDATE tasks t SET status = 'parsing', attempt = t.attempt + 1, worker_id = $1,
       lease_until = now() + $3::int * interval '1 ms', started_at = coalesce(t.started_at, now()), proxy_id = NULL
     FROM found JOIN tasks own ON own.id = found.id JOIN domains d ON d.id = own.domain_id
       LEFT JOIN pages p ON p.url_hash = own.url_hash
     WHERE t.id = found.id
     RETURNING t.id, t.attempt, t.crawl_id, t.domain_id, d.domain, t.url, t.url_hash, t.depth, t.priority, t.failures,
       t.lost_workers, t.max_retries, t.dlq_retries, t.parse_only, t.raw_ref, t.raw_meta, t.is_recurring,
       coalesce(t.interval_s, d.recrawl_interval_s) AS interval_s, t.visit, t.parent_id, p.id AS page_id, p.etag,
       p.last_modified, p.raw_ref AS page_raw_ref, CASE WHEN p.raw_ref IS NOT NULL THEN p.raw_meta END AS page_raw_meta,
       p.error_code AS page_code,
       CASE WHEN p.status = 'fetched' THEN extract(epoch FROM now() - p.last_crawled_at) * 1000 END::float8 AS page_age_ms,
       d.user_agent, d.parser, d.shadow_parser`,
    [workerId, max, leaseMs, ids ?? null],
  );
  return rows.map((row) => ({ ...row, ...NO_TURN }));
}

/** Marks downloaded tasks as delivered to a broker; returns those that still were downloaded. */
export function markQueuedToParse(sql: Sql, ids: readonly string[]): Promise<{ id: string; priority: number }[]> {
  return sql.query(
    `UPDATE tasks SET status = 'queued_parse' WHERE id = ANY($1::uuid[]) AND ${movable('deliver_parse')}
     RETURNING id, priority`,
    [ids],
  );
}
