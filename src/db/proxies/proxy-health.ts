import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { COUNT_HOUR, HOUR_LEFT, POOL } from './choose-proxy.ts';
import type { ProxySecret } from './proxy-address.ts';

export interface ProxyHealth {
  proxy_id: string;
  successes: number;
  /** Failures in a row at the end of this batch; counts on from before when nothing succeeded in it. */
  trailing_failures: number;
  response_ms: number | null;
}

export interface ProxyLimits {
  /** Failures in a row after which a proxy is off for a domain. */
  domainFailures: number;
  /** Failures in a row after which it is off for all. */
  failures: number;
}

/** `$n` is the place of the limit: the same step for a proxy and for a proxy at a domain. */
const healthOf = (row: string, limit: string) => `
  failure_count = CASE WHEN x.successes > 0 THEN 0 ELSE ${row}.failure_count END + x.trailing_failures,
  success_count = ${row}.success_count + x.successes,
  off_by_health = CASE
    WHEN CASE WHEN x.successes > 0 THEN 0 ELSE ${row}.failure_count END + x.trailing_failures >= ${limit}
      THEN ${row}.off_by_health OR ${row}.is_active
    ELSE ${row}.off_by_health AND x.successes = 0 END,
  is_active = CASE
    WHEN CASE WHEN x.successes > 0 THEN 0 ELSE ${row}.failure_count END + x.trailing_failures >= ${limit} THEN false
    ELSE ${row}.is_active OR ${row}.off_by_health AND x.successes > 0 END,
  avg_response_ms = coalesce(${row}.avg_response_ms * 0.8 + x.response_ms * 0.2, x.response_ms, ${row}.avg_response_ms),
  last_success_at = CASE WHEN x.successes > 0 THEN now() ELSE ${row}.last_success_at END,
  last_failure_at = CASE WHEN x.trailing_failures > 0 THEN now() ELSE ${row}.last_failure_at END`;

const INPUT = 'proxy_id uuid, successes int, trailing_failures int, response_ms float8';

/**
 * Applies the results of a batch of pages to the proxies they came through. Enough failures in a row turn a proxy off, a success
 * turns it on again unless a user turned it off. Locks are taken as claims take them, domains first, so neither waits
 * for the other.
 */
export async function recordProxyHealth(
  sql: Sql,
  pairs: readonly (ProxyHealth & { domain_id: string })[],
  proxies: readonly ProxyHealth[],
  limits: ProxyLimits,
): Promise<void> {
  if (pairs.length === 0 && proxies.length === 0) return;
  await sql.query(
    `WITH pair AS (
       SELECT * FROM json_to_recordset($1::json) AS x (domain_id uuid, ${INPUT})
     ), whole AS (
       SELECT * FROM json_to_recordset($2::json) AS x (${INPUT})
     ), domain AS MATERIALIZED (
       SELECT id FROM domains WHERE id IN (SELECT domain_id FROM pair) ORDER BY id FOR UPDATE
     ), proxy AS MATERIALIZED (
       SELECT id FROM proxies WHERE id IN (SELECT proxy_id FROM whole) AND (SELECT count(*) FROM domain) >= 0
       ORDER BY id FOR UPDATE
     ), known AS (
       UPDATE domain_proxies dp SET ${healthOf('dp', '$3::int')}
       FROM pair x JOIN domain ON domain.id = x.domain_id
       WHERE dp.domain_id = x.domain_id AND dp.proxy_id = x.proxy_id
     )
     UPDATE proxies p SET last_used_at = now(), ${healthOf('p', '$4::int')}
     FROM whole x JOIN proxy ON proxy.id = x.proxy_id WHERE p.id = x.proxy_id`,
    [toJson(pairs), toJson(proxies), Math.max(1, limits.domainFailures), Math.max(1, limits.failures)],
  );
}

export interface PickedProxy {
  domain_id: string;
  is_active: boolean;
  blocked_reason: string | null;
  /** Without a proxy it means that all of them are off: nothing may be sent. */
  uses_proxies: boolean;
  proxy_id: string | null;
  proxy: ProxySecret | null;
}

/**
 * The proxy for a request that is not a task's: the one that is available first. The request counts against the proxy's
 * hour; with all hours used up there is none. Undefined: the domain is not known yet.
 */
export async function pickProxy(sql: Sql, domain: string): Promise<PickedProxy | undefined> {
  const [row] = await sql.query<Omit<PickedProxy, 'proxy'> & ProxySecret>(
    `WITH picked AS (
       SELECT d.id AS domain_id, d.is_active, d.blocked_reason, d.uses_proxies, p.id AS proxy_id, p.url, p.username, p.password
       FROM domains d LEFT JOIN LATERAL (
         SELECT p.id, p.url, p.username, p.password FROM ${POOL('d.id', 'd.proxy_country')}
         WHERE ${HOUR_LEFT} IS NULL OR ${HOUR_LEFT} > 0
         ORDER BY dp.next_at, dp.priority, p.id LIMIT 1 FOR UPDATE OF p
       ) p ON d.uses_proxies
       WHERE d.domain = $1
     ), hour AS (
       UPDATE proxies p SET ${COUNT_HOUR('1')} FROM picked WHERE p.id = picked.proxy_id AND p.max_requests_per_hour IS NOT NULL
     )
     SELECT * FROM picked`,
    [domain],
  );
  if (row === undefined) return undefined;
  const { url, username, password, ...picked } = row;
  return { ...picked, proxy: row.proxy_id === null ? null : { url, username, password } };
}

/** Takes proxies that failures turned off, here or for a domain, and that were not looked at for a while. */
export function claimProxyChecks(sql: Sql, everyS: number, limit: number): Promise<({ id: string } & ProxySecret)[]> {
  return sql.query(
    `WITH due AS (
       SELECT p.id FROM proxies p
       WHERE (p.off_by_health
           OR p.is_active AND EXISTS (SELECT FROM domain_proxies dp WHERE dp.proxy_id = p.id AND dp.off_by_health))
         AND (p.checked_at IS NULL OR p.checked_at < now() - $1::int * interval '1 s')
         AND greatest(p.last_failure_at, (SELECT max(dp.last_failure_at) FROM domain_proxies dp WHERE dp.proxy_id = p.id))
           < now() - $1::int * interval '1 s'
       ORDER BY p.checked_at NULLS FIRST LIMIT $2 FOR UPDATE OF p SKIP LOCKED
     )
     UPDATE proxies p SET checked_at = now() FROM due WHERE p.id = due.id RETURNING p.id, p.url, p.username, p.password`,
    [everyS, limit],
  );
}

/**
 * The outcome of a check. A success brings back what failures turned off: the proxy, and its places at domains, which
 * are on trial: the next failure there turns it off again.
 */
export async function recordProxyCheck(
  sql: Sql,
  id: string,
  ok: boolean,
  responseMs: number,
  limits: ProxyLimits,
): Promise<void> {
  await sql.query(
    `WITH tried AS (
       UPDATE domain_proxies SET is_active = true, off_by_health = false, failure_count = least(failure_count, $5::int - 1)
       WHERE proxy_id = $1 AND $2::boolean AND off_by_health
     )
     UPDATE proxies SET checked_at = now(), updated_at = now(),
       failure_count = CASE WHEN $2 THEN 0 ELSE failure_count + 1 END,
       success_count = success_count + CASE WHEN $2 THEN 1 ELSE 0 END,
       off_by_health = NOT $2 AND (off_by_health OR is_active AND failure_count + 1 >= $4::int),
       is_active = CASE WHEN $2 THEN is_active OR off_by_health ELSE is_active AND failure_count + 1 < $4::int END,
       last_success_at = CASE WHEN $2 THEN now() ELSE last_success_at END,
       last_failure_at = CASE WHEN $2 THEN last_failure_at ELSE now() END,
       avg_response_ms = CASE WHEN $2 THEN coalesce(avg_response_ms * 0.8 + $3::float8 * 0.2, $3) ELSE avg_response_ms END
     WHERE id = $1`,
    [id, ok, responseMs, Math.max(1, limits.failures), Math.max(1, limits.domainFailures)],
  );
}
