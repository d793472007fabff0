import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

/** Makes rows for names that have none; returns the ids of all. */
export function ensureDomains(
  sql: Sql,
  rows: readonly { id: string; domain: string }[],
): Promise<{ id: string; domain: string }[]> {
  return sql.query(
    `WITH input AS (SELECT * FROM json_to_recordset($1::json) AS x (id uuid, domain text)),
     made AS (
       INSERT INTO domains (id, domain) SELECT id, domain FROM input ORDER BY domain ON CONFLICT (domain) DO NOTHING
       RETURNING id, domain
     )
     SELECT id, domain FROM made UNION ALL SELECT d.id, d.domain FROM domains d JOIN input USING (domain)`,
    [toJson(rows)],
  );
}

export interface DomainFeedback {
  id: string;
  fetched: number;
  failed: number;
  /** Failures in a row at the end of this batch; counts on from before when nothing succeeded in it. */
  trailing_failures: number;
  successes: number;
  latency_ms: number | null;
  /** The site requested a pause (Retry-After): nothing is sent before it is over. */
  pause_ms: number;
  /** The site requested a permanently slower pace. */
  slow_down: boolean;
}

/**
 * Applies the answers of a site: counters, latency (moving average), the circuit, and the pace.
 *
 *   closed ── threshold failures in a row ──► open ── timeout ──► half_open ── enough successes ──► closed
 *                                              ▲                     │
 *                                              └──── any failure ────┘
 *
 * An open circuit is a next_at in the future: claims skip it by the index. After a 429 or 503 the delay doubles
 * (up to a minute) and falls back by a tenth with every page that went well; with autothrottle never below the latency.
 */
export async function recordFeedback(
  sql: Sql,
  rows: readonly DomainFeedback[],
  circuit: { threshold: number; timeoutS: number; halfOpenSuccesses: number; autothrottle: boolean },
): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `WITH input AS (
       SELECT d.id, x.fetched, x.failed, x.successes, x.latency_ms, x.pause_ms, x.slow_down,
         CASE WHEN x.successes > 0 THEN x.trailing_failures ELSE d.circuit_failures + x.trailing_failures END AS failures,
         CASE WHEN d.circuit_state = 'half_open' THEN d.circuit_successes + x.successes ELSE 0 END AS half_open_successes,
         coalesce(d.circuit_threshold, $2::int) AS threshold, coalesce(d.circuit_timeout_s, $3::int) AS timeout_s
       FROM json_to_recordset($1::json) AS x (
         id uuid, fetched int, failed int, trailing_failures int, successes int, latency_ms float8, pause_ms int, slow_down boolean)
       JOIN domains d ON d.id = x.id
       ORDER BY d.id FOR UPDATE OF d
     ), judged AS (
       SELECT *, failures > 0 AND (failures >= threshold OR half_open_successes > 0 AND failures > 0) AS opens FROM input
     )
     UPDATE domains d SET
       pages_fetched = d.pages_fetched + j.fetched, pages_failed = d.pages_failed + j.failed, updated_at = now(),
       latency_ms = CASE WHEN j.latency_ms IS NULL THEN d.latency_ms
         WHEN d.latency_ms IS NULL THEN j.latency_ms ELSE d.latency_ms * 0.8 + j.latency_ms * 0.2 END,
       circuit_failures = j.failures,
       circuit_successes = CASE WHEN j.half_open_successes >= $4::int THEN 0 ELSE j.half_open_successes END,
       circuit_state = CASE
         WHEN j.opens OR d.circuit_state = 'half_open' AND j.failures > 0 THEN 'open'
         WHEN d.circuit_state <> 'closed' AND j.half_open_successes >= $4::int THEN 'closed'
         ELSE d.circuit_state END,
       circuit_until = CASE WHEN j.opens OR d.circuit_state = 'half_open' AND j.failures > 0
         THEN now() + j.timeout_s * interval '1 s' END,
       throttle_ms = CASE
         WHEN j.slow_down THEN least(60000, greatest(500, d.throttle_ms * 2))
         WHEN j.successes > 0 THEN least(60000, greatest(
           CASE WHEN d.throttle_ms < 50 THEN 0 ELSE d.throttle_ms * power(0.9, least(j.successes, 50)) END,
           CASE WHEN d.autothrottle OR $5::boolean THEN j.latency_ms END))::int
         ELSE d.throttle_ms END,
       open_at = greatest(d.open_at, now() + j.pause_ms * interval '1 ms'),
       next_at = greatest(d.next_at, now() + j.pause_ms * interval '1 ms',
         CASE WHEN j.opens OR d.circuit_state = 'half_open' AND j.failures > 0 THEN now() + j.timeout_s * interval '1 s' END)
     FROM judged j WHERE d.id = j.id`,
    [toJson(rows), circuit.threshold, circuit.timeoutS, circuit.halfOpenSuccesses, circuit.autothrottle],
  );
}

/** The Crawl-delay of robots.txt holds from the moment it is read: the next turn begins that much later. */
export async function setCrawlDelay(sql: Sql, domain: string, crawlDelayMs: number): Promise<void> {
  await sql.query(
    `UPDATE domains SET crawl_delay_ms = $2, next_at = greatest(next_at, now() + $2::int * interval '1 ms'),
       open_at = greatest(open_at, now() + $2::int * interval '1 ms')
     WHERE domain = $1 AND crawl_delay_ms <> $2`,
    [domain, crawlDelayMs],
  );
}

export function findBlockedDomains(
  sql: Sql,
  ids: readonly string[],
): Promise<{ domain: string; blocked_reason: string | null }[]> {
  return sql.query(
    'SELECT domain, blocked_reason FROM domains WHERE id = ANY($1::uuid[]) AND NOT is_active ORDER BY domain',
    [ids],
  );
}
