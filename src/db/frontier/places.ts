import type { Sql } from '../../ports/database.ts';
import { DELAY_MS, PACE_MS, STEP_MS } from './pace.ts';

/** A request that is not a task: its target, and how long it may wait. */
export interface PlaceRequest {
  id: string;
  /** The process that takes it. */
  holder: string;
  domain: string;
  proxyId: string | null;
  defaultRps: number;
  /** A place that begins later than this is not taken. */
  maxWaitMs: number;
  /** How late the request may start, where starts are paced. */
  graceMs: number;
  /** From its beginning; with a delay, that much longer: when the lease ends, the delay after the loss is over too. */
  leaseMs: number;
}

export interface PlaceTerms {
  /** False: its time would come too late; nothing was taken. */
  taken: boolean;
  /** Milliseconds from now until it begins. */
  wait_ms: number;
  /** What keeps the domain closed until then. */
  held_by: 'maintenance' | 'circuit' | 'turn';
  delay_ms: number;
  pace_ms: number;
  /** When the place ends, to the microsecond: what next_at is until it is moved. */
  place_end: string;
}

/**
 * Takes a place in a domain's queue, behind all others. The domain's row is locked, and the proxy's after it,
 * as claims do. The row of the domain is always written: a claim that looked before sees that it changed.
 */
export async function takePlace(sql: Sql, place: PlaceRequest): Promise<PlaceTerms | undefined> {
  const [terms] = await sql.query<PlaceTerms>(
    `WITH gate AS MATERIALIZED (
       SELECT d.id, d.next_at, ${DELAY_MS} AS delay_ms, ${PACE_MS('$4')} AS pace_ms, greatest(${DELAY_MS}, ${PACE_MS('$4')}) AS gap_ms,
         CASE WHEN d.maintenance_windows = '[]' THEN NULL ELSE maintenance_end(d.maintenance_windows, now()) END AS closed_until,
         CASE WHEN d.circuit_state = 'open' THEN d.circuit_until END AS broken_until
       FROM domains d WHERE d.domain = $2 FOR UPDATE
     ), pair AS MATERIALIZED (
       SELECT dp.next_at FROM domain_proxies dp JOIN gate ON dp.domain_id = gate.id WHERE dp.proxy_id = $3::uuid FOR UPDATE OF dp
     ), slot AS MATERIALIZED (
       SELECT gate.*, asked_at, asked_at + $5::float8 * interval '1 ms' AS latest,
         greatest(CASE WHEN $3::uuid IS NULL THEN gate.next_at ELSE (SELECT next_at FROM pair) END, closed_until, broken_until, asked_at) AS start_at,
         ${STEP_MS('gap_ms')} + CASE WHEN pace_ms > 0 THEN $6::int ELSE 0 END AS length_ms
       FROM gate CROSS JOIN (SELECT clock_timestamp() AS asked_at) AS clock
     ), expired AS (
       DELETE FROM side_requests r USING gate WHERE r.domain_id = gate.id AND r.lease_until < now()
     ), made AS (
       INSERT INTO side_requests (id, domain_id, proxy_id, start_at, lease_until, holder)
       SELECT $1, id, $3, start_at, start_at + (delay_ms + $7::int) * interval '1 ms', $8 FROM slot WHERE start_at <= latest
     ), moved AS (
       UPDATE domain_proxies dp SET next_at = slot.start_at + length_ms * interval '1 ms'
       FROM slot WHERE dp.domain_id = slot.id AND dp.proxy_id = $3::uuid AND gap_ms > 0 AND start_at <= latest
     ), written AS (
       UPDATE domains d SET next_at = CASE WHEN $3::uuid IS NULL AND gap_ms > 0 AND start_at <= latest
         THEN slot.start_at + length_ms * interval '1 ms' ELSE d.next_at END
       FROM slot WHERE d.id = slot.id
     )
     SELECT start_at <= latest AS taken, extract(epoch FROM start_at - clock_timestamp())::float8 * 1000 AS wait_ms, delay_ms, pace_ms,
       CASE WHEN start_at = closed_until THEN 'maintenance' WHEN start_at = broken_until THEN 'circuit' ELSE 'turn' END AS held_by,
       (start_at + length_ms * interval '1 ms')::text AS place_end
     FROM slot`,
    [
      place.id,
      place.domain,
      place.proxyId,
      place.defaultRps,
      place.maxWaitMs,
      place.graceMs,
      place.leaseMs,
      place.holder,
    ],
  );
  return terms;
}

export interface PlaceState {
  is_active: boolean;
  blocked_reason: string | null;
  /** The request goes alone, and keeps its place until it can. */
  alone: boolean;
  /** Milliseconds until the delay after the last answer is over. */
  opens_in_ms: number;
  /** Whether the requests under way leave a free place. */
  has_free_place: boolean;
}

/**
 * Whether the request of a place may start now that its time has come. Needs no lock: places are in order, each counts
 * only those before it, and a claim counts all of them. `taskId` is the task it belongs to, which does not wait for itself.
 * Undefined: the place was held too long and is gone.
 */
export async function checkPlace(
  sql: Sql,
  id: string,
  taskId: string | null,
  defaultConcurrency: number,
): Promise<PlaceState | undefined> {
  const [state] = await sql.query<PlaceState>(
    `SELECT d.is_active, d.blocked_reason, ${DELAY_MS} > 0 AS alone,
       greatest(0, extract(epoch FROM coalesce(dp.open_at, d.open_at) - clock_timestamp()) * 1000)::float8 AS opens_in_ms,
       CASE WHEN ${DELAY_MS} > 0 THEN busy.asked + before.asked = 0
         ELSE busy.crawling + before.requests < coalesce(d.max_concurrency, $3::int) END AS has_free_place
     FROM side_requests r JOIN domains d ON d.id = r.domain_id
       LEFT JOIN domain_proxies dp ON dp.domain_id = r.domain_id AND dp.proxy_id = r.proxy_id
     CROSS JOIN LATERAL (
       SELECT count(*) AS crawling, count(*) FILTER (WHERE f.proxy_id IS NOT DISTINCT FROM r.proxy_id) AS asked
       FROM tasks f WHERE f.domain_id = r.domain_id AND f.status = 'crawling' AND f.id IS DISTINCT FROM $2::uuid
     ) busy
     CROSS JOIN LATERAL (
       SELECT count(*) AS requests, count(*) FILTER (WHERE o.proxy_id IS NOT DISTINCT FROM r.proxy_id) AS asked
       FROM side_requests o WHERE o.domain_id = r.domain_id AND o.lease_until > now() AND (o.start_at, o.id) < (r.start_at, r.id)
     ) before
     WHERE r.id = $1`,
    [id, taskId, defaultConcurrency],
  );
  return state;
}

/** The request still waits or is under way. */
export async function renewPlace(sql: Sql, id: string, leaseMs: number): Promise<void> {
  await sql.query(`UPDATE side_requests SET lease_until = now() + $2::int * interval '1 ms' WHERE id = $1`, [
    id,
    leaseMs,
  ]);
}

export interface EndedPlace {
  id: string;
  domain: string;
  proxyId: string | null;
  end: string;
  opensInMs: number;
}

/** Gives a place back: its request was answered, or will not be sent. */
export const endPlace = (sql: Sql, place: EndedPlace): Promise<void> => giveBack(sql, place, false);

/** Its request has left, where starts are paced: others may start, and it counts as under way until it has ended. */
export const handOverPlace = (sql: Sql, place: EndedPlace): Promise<void> => giveBack(sql, place, true);

/** The next request may start in `opensInMs`; what is left of the place is free for others, unless another place follows it already. */
async function giveBack(sql: Sql, place: EndedPlace, underWay: boolean): Promise<void> {
  await sql.query(
    `WITH gate AS MATERIALIZED (
       SELECT d.id, clock_timestamp() + $5::float8 * interval '1 ms' AS opens_at FROM domains d WHERE d.domain = $2 FOR UPDATE
     ), gone AS (
       DELETE FROM side_requests r USING gate WHERE r.id = $1 AND NOT $6
     ), through AS (
       UPDATE domain_proxies dp SET
         next_at = CASE WHEN dp.next_at = $4::timestamptz THEN gate.opens_at ELSE greatest(dp.next_at, gate.opens_at) END,
         open_at = greatest(dp.open_at, gate.opens_at)
       FROM gate WHERE dp.domain_id = gate.id AND dp.proxy_id = $3::uuid
     )
     UPDATE domains d SET
       next_at = CASE WHEN d.next_at = $4::timestamptz THEN gate.opens_at ELSE greatest(d.next_at, gate.opens_at) END,
       open_at = greatest(d.open_at, gate.opens_at)
     FROM gate WHERE d.id = gate.id AND $3::uuid IS NULL`,
    [place.id, place.domain, place.proxyId, place.end, place.opensInMs, underWay],
  );
}

/** Who holds places now. */
export async function listPlaceHolders(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ holder: string }>(
    'SELECT DISTINCT holder FROM side_requests WHERE holder IS NOT NULL AND lease_until > now()',
  );
  return rows.map(({ holder }) => holder);
}

/**
 * Ends the places of processes that are gone. Their connections ended with them, but when the site last answered is not known:
 * a domain with a delay stays closed for it.
 */
export async function expirePlaces(sql: Sql, holders: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE side_requests r SET lease_until = least(r.lease_until, now() + ${DELAY_MS} * interval '1 ms')
     FROM domains d WHERE d.id = r.domain_id AND r.holder = ANY($1::text[])`,
    [holders],
  );
}
