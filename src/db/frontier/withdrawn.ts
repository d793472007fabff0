import type { Sql } from '../../ports/database.ts';
import { DELAY_MS } from './pace.ts';

/**
 * Requests of tasks that were paused or cancelled while they were under way. The task is no longer held, but the site still
 * works on its request: it counts as a side request until the worker has the answer, or the task's lease would have ended.
 */

/** The id of such a request follows from its attempt, so that the worker can name it without having seen it. */
const ID = (task: string) => `md5(${task}.id::text || ':' || ${task}.attempt)::uuid`;

/** A part of a statement that moves the tasks of `chosen`: what is under way among them stays counted. */
export const WITHDRAW = `withdrawn AS (
       INSERT INTO side_requests (id, domain_id, proxy_id, start_at, lease_until, holder)
       SELECT ${ID('t')}, t.domain_id, t.proxy_id, now(), t.lease_until + ${DELAY_MS} * interval '1 ms', t.worker_id
       FROM tasks t JOIN chosen ON chosen.id = t.id JOIN domains d ON d.id = t.domain_id WHERE t.status = 'crawling'
       ON CONFLICT (id) DO NOTHING
     )`;

/** A part of a statement over `held` (id, attempt): the site has answered for these, or nothing was sent. */
export const END_WITHDRAWN = (held: string) =>
  `ended_requests AS (DELETE FROM side_requests r USING ${held} AS held (id, attempt) WHERE r.id = ${ID('held')})`;

export async function endWithdrawn(sql: Sql, tasks: readonly { id: string; attempt: number }[]): Promise<void> {
  if (tasks.length === 0) return;
  await sql.query(`WITH ${END_WITHDRAWN('unnest($1::uuid[], $2::int[])')} SELECT`, [
    tasks.map(({ id }) => id),
    tasks.map(({ attempt }) => attempt),
  ]);
}
