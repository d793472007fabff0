import type { Sql } from '../../ports/database.ts';
import { movable } from '../tasks/states.ts';
import { END_WITHDRAWN } from './withdrawn.ts';

type Attempt = { id: string; attempt: number };

/**
 * Releases the rest of a turn: nothing more is sent in it, and the next request may start in `opensInMs`.
 *
 * - `answered` are being read from now on: a claim counts them no longer as requests under way.
 * - The domain's time moves back only if it is still the turn's end. If something else moved it meanwhile (a place for robots.txt or
 *   a redirect, a pause, a slower pace), that time stays.
 * - Tasks before domains, as where pages are stored, and tasks that are locked are left alone: neither waits for the other.
 */
export async function endTurn(
  sql: Sql,
  workerId: string,
  answered: readonly Attempt[],
  turn: { domainId: string; proxyId: string | null; end: string },
  opensInMs: number,
): Promise<void> {
  await sql.query(
    `WITH ${READING}, gate AS MATERIALIZED (
       SELECT d.id, clock_timestamp() + $7::float8 * interval '1 ms' AS opens_at
       FROM domains d WHERE d.id = $4 AND (SELECT count(*) FROM reading) >= 0 FOR UPDATE
     ), through AS (
       UPDATE domain_proxies dp SET
         next_at = CASE WHEN dp.next_at = $6::timestamptz THEN gate.opens_at ELSE greatest(dp.next_at, gate.opens_at) END,
         open_at = greatest(dp.open_at, gate.opens_at)
       FROM gate WHERE dp.domain_id = gate.id AND dp.proxy_id = $5::uuid
     )
     UPDATE domains d SET
       next_at = CASE WHEN d.next_at = $6::timestamptz THEN gate.opens_at
         WHEN $5::uuid IS NULL THEN greatest(d.next_at, gate.opens_at) ELSE d.next_at END,
       open_at = CASE WHEN $5::uuid IS NULL THEN greatest(d.open_at, gate.opens_at) ELSE d.open_at END
     FROM gate WHERE d.id = gate.id`,
    [workerId, ...columnsOf(answered), turn.domainId, turn.proxyId, turn.end, opensInMs],
  );
}

/** The site has answered for these tasks after their turn was released: they no longer count as under way. */
export async function markAnswered(sql: Sql, workerId: string, tasks: readonly Attempt[]): Promise<void> {
  if (tasks.length === 0) return;
  await sql.query(`WITH ${READING} SELECT count(*) FROM reading`, [workerId, ...columnsOf(tasks)]);
}

const READING = `${END_WITHDRAWN('unnest($2::uuid[], $3::int[])')}, answered AS (
       SELECT t.id FROM tasks t JOIN unnest($2::uuid[], $3::int[]) AS held (id, attempt) ON t.id = held.id AND t.attempt = held.attempt
       WHERE t.worker_id = $1 AND ${movable('answer', 't.status')} FOR UPDATE OF t SKIP LOCKED
     ), reading AS (
       UPDATE tasks SET status = 'parsing' FROM answered WHERE tasks.id = answered.id RETURNING tasks.id
     )`;

const columnsOf = (tasks: readonly Attempt[]) => [tasks.map(({ id }) => id), tasks.map(({ attempt }) => attempt)];
