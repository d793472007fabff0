import type { Sql } from '../../ports/database.ts';
import { START_CRAWLS } from '../crawls/settle-crawls.ts';
import { toJson } from '../json.ts';
import { AVAILABLE_AT, COUNT_HOUR, HOUR_LEFT, IN_ORDER, POOL } from '../proxies/choose-proxy.ts';
import type { ProxySecret } from '../proxies/proxy-address.ts';
import { HELD_TASKS, movable, oneOf } from '../tasks/states.ts';
import { HELD_BACK, LOOK_AGAIN_AT, MAY_START, SLOW_CRAWLS } from './may-start.ts';
import { DELAY_MS, PACE_MS, STEP_MS } from './pace.ts';
import { endWithdrawn } from './withdrawn.ts';

export interface ClaimLimits {
  workerId: string;
  /** How many tasks the worker can take. */
  max: number;
  leaseMs: number;
  /** Requests per second for domains that name no rate; 0 means no limit. */
  defaultRps: number;
  defaultConcurrency: number;
  /** Longest turn a worker takes for itself. */
  windowMs: number;
  /** How long before its time a turn may be taken, so that the worker is ready when it comes. */
  aheadMs: number;
  /** By how much a turn is longer than its requests need at least; see Grace. */
  graceMs?: number;
  /** Only of these domains; absent: of those that are due first. */
  domainIds?: readonly string[] | undefined;
}

export interface ClaimedTask {
  id: string;
  attempt: number;
  crawl_id: string;
  domain_id: string;
  domain: string;
  url: string;
  url_hash: Buffer;
  depth: number;
  priority: number;
  failures: number;
  lost_workers: number;
  max_retries: number;
  /** How often it was brought back from the dead-letter list by itself. */
  dlq_retries: number;
  parse_only: boolean;
  raw_ref: string | null;
  raw_meta: Record<string, string> | null;
  is_recurring: boolean;
  interval_s: number | null;
  visit: number;
  parent_id: string | null;
  /** Milliseconds from an answer to the next request of this turn, which goes alone; 0: requests need not wait for answers. */
  delay_ms: number;
  /** Milliseconds between the starts of two requests of this turn; 0: only the concurrency limits. */
  pace_ms: number;
  /** Milliseconds from now until the turn begins. */
  wait_ms: number;
  /** Tasks in this turn of the domain. */
  turn: number;
  /** Time for each of them: the longer of delay and pace, and a margin. */
  step_ms: number;
  /** All of the turn: the next one begins after it, or when it is released. */
  length_ms: number;
  /** When it ends, by the database's clock and to the microsecond: what its domain's next_at is until it is moved. */
  turn_end: string;
  proxy_id: string | null;
  proxy: ProxySecret | null;
  /** The page's row, when it was seen before. */
  page_id: string | null;
  etag: string | null;
  last_modified: string | null;
  page_raw_ref: string | null;
  page_raw_meta: Record<string, string> | null;
  /** Why the page was not kept when it was last read. */
  page_code: string | null;
  /** Milliseconds since the page was last fetched by any crawl. */
  page_age_ms: number | null;
  /** Another crawl fetched the page since this task was due, without headers of its own. */
  page_answers: boolean | null;
  user_agent: string | null;
  parser: string | null;
  shadow_parser: string | null;
  /** The crawl was waiting for its first claim: this is it. */
  starts_crawl: boolean;
}

/**
 * Takes the next tasks, domain first.
 *
 * - `due` reads only domains whose time has come (partial index on next_at), so neither the number of waiting tasks nor
 *   the number of domains that are not due makes it slower. Their rows are locked: a domain's turn goes to one worker.
 * - A turn is a period: `turn` tasks, one every `step_ms` = delay or pace plus a margin for late timers, and a little
 *   at its end. The next turn of the domain begins after it, so that workers with different clocks and loads never come closer.
 * - A domain with a delay gives no turn while a request of the last one may be under way: the site may see it late. One that
 *   has only a pace gives as many as its concurrency leaves. Pages that are only read and stored by now do not count (endTurn).
 * - What is under way is counted in the statement's snapshot. A row that was changed after it (its xmin differs) may have
 *   more under way than the snapshot shows: it gives no turn now.
 * - A domain that uses proxies gives a turn of one of them; each (domain, proxy) has its own next_at. The proxy's row is locked,
 *   and one with a limit per hour serves one domain of a claim: so that the limit holds over all workers.
 * - What may not start yet is skipped (may-start.ts): an address that is under way for another crawl, and a crawl that is set
 *   to a slower pace than its domain.
 * - Each claim raises `attempt`: later writes name it, and an older attempt's write changes nothing.
 */
export async function claimTasks(sql: Sql, limits: ClaimLimits): Promise<ClaimedTask[]> {
  const rows = await sql.query<ClaimedRow>(CLAIM, [
    limits.workerId,
    limits.max,
    limits.leaseMs,
    limits.defaultRps,
    limits.defaultConcurrency,
    limits.windowMs,
    limits.aheadMs,
    limits.graceMs ?? 0,
    limits.domainIds ?? null,
  ]);
  return rows.map(({ proxy_url, proxy_username, proxy_password, ...row }) => ({
    ...row,
    proxy: proxy_url === null ? null : { url: proxy_url, username: proxy_username, password: proxy_password },
  }));
}

type ClaimedRow = Omit<ClaimedTask, 'proxy'> & {
  proxy_url: string | null;
  proxy_username: string | null;
  proxy_password: string | null;
};

const CLAIM = `
WITH due AS MATERIALIZED (
  SELECT d.id, d.domain, d.next_at, d.xmin AS version, d.circuit_state, d.uses_proxies, d.proxy_strategy, d.proxy_country, d.proxy_position, d.user_agent, d.parser, d.shadow_parser, d.recrawl_interval_s, d.responses_cleared_at,
    coalesce(d.max_concurrency, $5::int) AS concurrency,
    ${DELAY_MS} AS delay_ms, ${PACE_MS('$4')} AS pace_ms, greatest(${DELAY_MS}, ${PACE_MS('$4')}) AS gap_ms,
    CASE WHEN d.maintenance_windows = '[]' THEN NULL ELSE maintenance_end(d.maintenance_windows, now()) END AS closed_until
  FROM domains d
  WHERE d.waiting AND d.is_active AND d.next_at <= now() + $7::int * interval '1 ms' AND ($9::uuid[] IS NULL OR d.id = ANY($9::uuid[]))
  ORDER BY d.next_at
  LIMIT $2
  FOR UPDATE SKIP LOCKED
), turns AS MATERIALIZED (
  SELECT due.*, px.proxy_id, px.url AS proxy_url, px.username AS proxy_username, px.password AS proxy_password, px.position,
    ${STEP_MS('gap_ms')} AS step_ms,
    greatest(coalesce(px.next_at, due.next_at), now()) AS start_at,
    greatest(0, least(
      CASE WHEN gap_ms = 0 THEN $2 ELSE greatest(1, $6::int / gap_ms) END,
      CASE WHEN gap_ms = 0 THEN concurrency - busy.tasks - beside.requests
        WHEN seen_version <> version OR delay_ms > 0 AND busy.asked + beside.asked > 0 THEN 0
        ELSE concurrency - busy.crawling - beside.requests END,
      CASE WHEN circuit_state = 'closed' THEN $2 ELSE 1 END,
      CASE WHEN px.hour_left IS NULL THEN $2 WHEN row_number() OVER (PARTITION BY px.proxy_id ORDER BY due.next_at, due.id) = 1 THEN px.hour_left ELSE 0 END
    )) AS quota
  FROM due JOIN (SELECT id AS seen_id, xmin AS seen_version FROM domains) seen ON seen_id = due.id
  LEFT JOIN LATERAL (
    SELECT p.id AS proxy_id, p.url, p.username, p.password, dp.next_at, dp.position, ${HOUR_LEFT} AS hour_left
    FROM ${POOL('due.id', 'due.proxy_country')}
    WHERE due.uses_proxies AND ${AVAILABLE_AT} <= now() + $7::int * interval '1 ms'
    ORDER BY ${IN_ORDER('due')}
    LIMIT 1
    FOR UPDATE OF p SKIP LOCKED
  ) px ON true
  CROSS JOIN LATERAL (
    SELECT count(*) AS tasks, count(*) FILTER (WHERE f.status = 'crawling') AS crawling,
      count(*) FILTER (WHERE f.status = 'crawling' AND f.proxy_id IS NOT DISTINCT FROM px.proxy_id) AS asked
    FROM tasks f WHERE f.domain_id = due.id AND f.status IN ('crawling', 'parsing')
  ) busy
  CROSS JOIN LATERAL (
    SELECT count(*) AS requests, count(*) FILTER (WHERE r.proxy_id IS NOT DISTINCT FROM px.proxy_id) AS asked
    FROM side_requests r WHERE r.domain_id = due.id AND r.lease_until > now()
  ) beside
  WHERE closed_until IS NULL AND (px.proxy_id IS NOT NULL OR NOT uses_proxies)
), found AS (
  SELECT t.id, t.url_hash, t.crawl_id, turns.id AS turn_domain, t.place, t.crawl_pace_ms
  FROM turns
  CROSS JOIN LATERAL (${SLOW_CRAWLS('turns.id', '$7')}) slow
  CROSS JOIN LATERAL (
    SELECT *, row_number() OVER (PARTITION BY url_hash ORDER BY place) AS twin,
      row_number() OVER (PARTITION BY crawl_id ORDER BY place) AS of_crawl
    FROM (
      SELECT best.*, row_number() OVER () AS place, (SELECT c.pace_ms FROM crawls c WHERE c.id = best.crawl_id) AS crawl_pace_ms FROM (
        SELECT id, url_hash, crawl_id FROM tasks
        WHERE domain_id = turns.id AND ${movable('claim')} AND ready AND ${MAY_START('tasks', 'slow.crawls')}
        ORDER BY priority, rank, id
        LIMIT turns.quota
        FOR UPDATE SKIP LOCKED
      ) best
    ) placed
  ) t
  WHERE t.twin = 1 AND (t.crawl_pace_ms = 0 OR t.of_crawl = 1)
  ORDER BY t.place
  LIMIT $2
), taken AS (
  SELECT turn_domain, count(*)::int AS turn, CASE WHEN max(turns.step_ms) = 0 THEN 0
    ELSE count(*) * max(turns.step_ms) + greatest($8::int, least(250, greatest(20, count(*) * max(turns.step_ms) / 10))) END AS length_ms
  FROM found JOIN turns ON turns.id = found.turn_domain GROUP BY turn_domain
), gate AS (
  UPDATE domains d SET
    waiting = CASE WHEN turns.quota > 0 AND taken.turn IS NULL THEN ${HELD_BACK('d.id')} ELSE true END,
    next_at = CASE
      WHEN taken.turn IS NULL AND turns.quota = 0 THEN greatest(turns.next_at, now() + interval '20 ms')
      WHEN taken.turn IS NULL THEN greatest(turns.next_at, ${LOOK_AGAIN_AT('d.id')})
      WHEN turns.uses_proxies THEN least((
        SELECT min(${AVAILABLE_AT}) FROM ${POOL('d.id', 'd.proxy_country')} AND dp.proxy_id <> turns.proxy_id
      ), turns.start_at + coalesce(taken.length_ms, 0) * interval '1 ms')
      ELSE turns.start_at + coalesce(taken.length_ms, 0) * interval '1 ms' END,
    proxy_position = CASE WHEN taken.turn IS NULL THEN d.proxy_position ELSE coalesce(turns.position, d.proxy_position) END,
    circuit_state = CASE WHEN taken.turn IS NOT NULL AND d.circuit_state = 'open' THEN 'half_open' ELSE d.circuit_state END
  FROM turns LEFT JOIN taken ON taken.turn_domain = turns.id
  WHERE d.id = turns.id
), closed AS (
  UPDATE domains d SET next_at = coalesce(due.closed_until, (
    SELECT min(${AVAILABLE_AT}) FROM ${POOL('d.id', 'd.proxy_country')}
  ), now() + interval '5 s')
  FROM due WHERE d.id = due.id AND due.id NOT IN (SELECT id FROM turns)
), proxy_gate AS (
  UPDATE domain_proxies dp SET
    next_at = turns.start_at + taken.length_ms * interval '1 ms',
    last_used_at = now(), use_count = dp.use_count + taken.turn
  FROM turns JOIN taken ON taken.turn_domain = turns.id
  WHERE dp.domain_id = turns.id AND dp.proxy_id = turns.proxy_id
), hours AS (
  UPDATE proxies p SET ${COUNT_HOUR('x.requests')}
  FROM (SELECT turns.proxy_id, sum(taken.turn)::int AS requests FROM turns JOIN taken ON taken.turn_domain = turns.id GROUP BY 1) x
  WHERE p.id = x.proxy_id AND p.max_requests_per_hour IS NOT NULL
), paced AS (
  INSERT INTO crawl_paces AS p (domain_id, crawl_id, next_at)
  SELECT turns.id, found.crawl_id, turns.start_at + ((taken.turn - 1) * turns.step_ms + ${STEP_MS('found.crawl_pace_ms')}) * interval '1 ms'
  FROM found JOIN turns ON turns.id = found.turn_domain JOIN taken ON taken.turn_domain = turns.id WHERE found.crawl_pace_ms > 0
  ON CONFLICT (domain_id, crawl_id) DO UPDATE SET next_at = excluded.next_at
), started AS (${START_CRAWLS('SELECT crawl_id FROM found')}
)
UPDATE tasks t SET
  status = CASE WHEN t.parse_only THEN 'parsing' ELSE 'crawling' END,
  attempt = t.attempt + 1, worker_id = $1, lease_until = now() + $3::int * interval '1 ms',
  started_at = now(), proxy_id = turns.proxy_id
FROM found JOIN turns ON turns.id = found.turn_domain JOIN taken ON taken.turn_domain = turns.id
  LEFT JOIN pages p ON p.url_hash = found.url_hash
WHERE t.id = found.id
RETURNING t.id, t.attempt, t.crawl_id, t.domain_id, turns.domain, t.url, t.url_hash, t.depth, t.priority, t.failures, t.lost_workers, t.max_retries, t.dlq_retries,
  t.parse_only, t.raw_ref, t.raw_meta, t.is_recurring, coalesce(t.interval_s, turns.recrawl_interval_s) AS interval_s, t.visit, t.parent_id,
  turns.delay_ms, turns.pace_ms, turns.step_ms, taken.turn, taken.length_ms::int AS length_ms,
  (turns.start_at + taken.length_ms * interval '1 ms')::text AS turn_end,
  greatest(0, extract(epoch FROM turns.start_at - clock_timestamp()) * 1000)::float8 AS wait_ms,
  turns.proxy_id, turns.proxy_url, turns.proxy_username, turns.proxy_password, p.id AS page_id, p.etag, p.last_modified, p.raw_ref AS page_raw_ref,
  CASE WHEN p.raw_ref IS NOT NULL THEN p.raw_meta END AS page_raw_meta, p.error_code AS page_code,
  CASE WHEN p.status = 'fetched' AND p.last_crawled_at > turns.responses_cleared_at THEN extract(epoch FROM now() - p.last_crawled_at) * 1000 END::float8 AS page_age_ms,
  p.status = 'fetched' AND p.last_crawled_at >= t.due_at AND p.last_crawled_at > turns.responses_cleared_at
    AND p.raw_meta ->> 'private' IS NULL AS page_answers,
  turns.user_agent, turns.parser, turns.shadow_parser, t.crawl_id IN (SELECT id FROM started) AS starts_crawl
`;

/**
 * Marks domains as having tasks. Runs after the tasks are committed, and on marked domains too: it then waits for a
 * claim that looked before the commit and is about to take the mark away.
 */
export async function markWaiting(sql: Sql, domainIds: readonly string[]): Promise<void> {
  if (domainIds.length === 0) return;
  await sql.query(
    `UPDATE domains d SET waiting = true
     FROM (SELECT id FROM domains WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE) AS chosen WHERE d.id = chosen.id`,
    [domainIds],
  );
}

/** Repairs a missing markWaiting of a process that died before it: one index probe for each quiet domain. */
export async function sweepWaiting(sql: Sql): Promise<void> {
  await sql.query(
    `UPDATE domains d SET waiting = true
     WHERE NOT waiting AND EXISTS (SELECT 1 FROM tasks t WHERE t.domain_id = d.id AND t.status = 'pending' AND t.ready)`,
  );
}

/** Domains that could give a turn now, first those that could longest, with the priority of their best task. */
export function listDueDomains(sql: Sql, limit: number): Promise<{ id: string; next_at: string; priority: number }[]> {
  return sql.query(
    `SELECT d.id, d.next_at::text AS next_at, coalesce(best.priority, 10) AS priority
     FROM domains d LEFT JOIN LATERAL (
       SELECT t.priority FROM tasks t WHERE t.domain_id = d.id AND t.status = 'pending' AND t.ready
       ORDER BY t.rank, t.priority, t.id LIMIT 1
     ) best ON true
     WHERE d.waiting AND d.is_active AND d.next_at <= now() ORDER BY d.next_at LIMIT $1`,
    [limit],
  );
}

/** Milliseconds until the next waiting domain is due; a minute when none waits. One entry of the index is read. */
export async function nextDue(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ wait_ms: number }>(
    `SELECT greatest(0, least(60000, extract(epoch FROM next_at - now()) * 1000))::float8 AS wait_ms
     FROM domains WHERE waiting AND is_active ORDER BY next_at LIMIT 1`,
  );
  return row?.wait_ms ?? 60_000;
}

/**
 * Keeps domains closed for what is left of their delay after the last answer. Part of the transaction that ends the
 * tasks: a claim sees them ended and the domain closed at the same time.
 */
export async function holdDomains(
  sql: Sql,
  rows: readonly { domain_id: string; proxy_id: string | null; left_ms: number }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `WITH input AS (
       SELECT domain_id, proxy_id, clock_timestamp() + max(left_ms) * interval '1 ms' AS until
       FROM json_to_recordset($1::json) AS x (domain_id uuid, proxy_id uuid, left_ms float8) GROUP BY 1, 2
     ), locked AS (
       SELECT d.id FROM domains d WHERE d.id IN (SELECT domain_id FROM input) ORDER BY d.id FOR UPDATE
     ), through AS (
       UPDATE domain_proxies dp SET next_at = greatest(dp.next_at, i.until), open_at = greatest(dp.open_at, i.until)
       FROM input i WHERE dp.domain_id = i.domain_id AND dp.proxy_id = i.proxy_id
     )
     UPDATE domains d SET next_at = greatest(d.next_at, i.until), open_at = greatest(d.open_at, i.until)
     FROM input i JOIN locked ON locked.id = i.domain_id WHERE d.id = i.domain_id AND i.proxy_id IS NULL`,
    [toJson(rows)],
  );
}

/** Gives claimed tasks back untouched: the worker stops, or their turn ran out. */
export async function releaseTasks(
  sql: Sql,
  workerId: string,
  tasks: readonly { id: string; attempt: number; domain_id: string }[],
): Promise<void> {
  if (tasks.length === 0) return;
  await sql.query(
    `UPDATE tasks SET status = 'pending', ready = true, worker_id = NULL, lease_until = NULL
     FROM unnest($2::uuid[], $3::int[]) AS held (id, attempt)
     WHERE tasks.id = held.id AND tasks.attempt = held.attempt AND worker_id = $1 AND ${movable('release')}`,
    [workerId, tasks.map((task) => task.id), tasks.map((task) => task.attempt)],
  );
  await endWithdrawn(sql, tasks);
  await markWaiting(sql, [...new Set(tasks.map((task) => task.domain_id))]);
}

/** Extends leases; returns the ids still held. Missing ones were taken by another worker: their results must be discarded. */
export async function renewLeases(
  sql: Sql,
  workerId: string,
  tasks: readonly { id: string; attempt: number }[],
  leaseMs: number,
): Promise<Set<string>> {
  if (tasks.length === 0) return new Set();
  const rows = await sql.query<{ id: string }>(
    `UPDATE tasks SET lease_until = now() + $4::int * interval '1 ms'
     FROM unnest($2::uuid[], $3::int[]) AS held (id, attempt)
     WHERE tasks.id = held.id AND tasks.attempt = held.attempt AND worker_id = $1 AND ${oneOf(HELD_TASKS)}
     RETURNING tasks.id`,
    [workerId, tasks.map((task) => task.id), tasks.map((task) => task.attempt), leaseMs],
  );
  return new Set(rows.map((row) => row.id));
}
