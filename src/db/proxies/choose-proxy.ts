/** The choice of a proxy, as SQL over a pairing `dp` and its proxy `p`. */

/** Requests a proxy may still send this hour; null: it has no limit. */
export const HOUR_LEFT = `CASE WHEN p.hour_started_at <= now() - interval '1 hour' THEN p.max_requests_per_hour
  ELSE p.max_requests_per_hour - p.hour_requests END`;

/** When a proxy may be used for the domain: after its turn there, and when its hour is used up, in the next one. */
export const AVAILABLE_AT = `greatest(dp.next_at, CASE WHEN ${HOUR_LEFT} <= 0 THEN p.hour_started_at + interval '1 hour' END)`;

/** The proxies of a domain that are on; `country` is the one the domain is configured with, or null. */
export const POOL = (domainId: string, country: string) =>
  `domain_proxies dp JOIN proxies p ON p.id = dp.proxy_id
    AND dp.domain_id = ${domainId} AND dp.is_active AND p.is_active AND (${country} IS NULL OR p.country_code = ${country})`;

/**
 * Which of several goes first. Priority before all; then round_robin takes the next one in the order of assignment, whatever
 * happened to it meanwhile, lru the one that rested longest, least_used the one with the fewest requests so far.
 */
export const IN_ORDER = (domain: string) => `dp.priority,
  CASE ${domain}.proxy_strategy WHEN 'random' THEN random() WHEN 'least_used' THEN dp.use_count
    WHEN 'round_robin' THEN (dp.position <= ${domain}.proxy_position)::int ELSE 0 END,
  CASE WHEN ${domain}.proxy_strategy = 'round_robin' THEN dp.position END,
  dp.last_used_at NULLS FIRST, dp.position`;

/** Counts requests against the hour of a proxy `p`. */
export const COUNT_HOUR = (requests: string) =>
  `hour_requests = CASE WHEN p.hour_started_at <= now() - interval '1 hour' THEN 0 ELSE p.hour_requests END + ${requests},
   hour_started_at = CASE WHEN p.hour_started_at <= now() - interval '1 hour' THEN now() ELSE p.hour_started_at END`;

/** What turned a proxy or a pairing off: null while it is on. */
export const OFF_BY = (row: string) =>
  `CASE WHEN ${row}.is_active THEN NULL WHEN ${row}.off_by_health THEN 'health' ELSE 'person' END`;
