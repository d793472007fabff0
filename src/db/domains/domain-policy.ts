import type { Sql } from '../../ports/database.ts';
import type { Listing, Sorts } from '../listing.ts';
import { HOUR_LEFT, POOL } from '../proxies/choose-proxy.ts';

export interface DomainRow {
  id: string;
  domain: string;
  is_active: boolean;
  blocked_reason: string | null;
  parser: string | null;
  shadow_parser: string | null;
  user_agent: string | null;
  rate_limit_rps: number | null;
  crawl_delay_ms: number;
  throttle_ms: number;
  autothrottle: boolean;
  max_concurrency: number | null;
  maintenance_windows: unknown[];
  recrawl_interval_s: number | null;
  proxy_strategy: 'round_robin' | 'least_used' | 'random' | 'lru';
  proxy_country: string | null;
  uses_proxies: boolean;
  next_at: Date | null;
  circuit_state: 'closed' | 'open' | 'half_open';
  circuit_failures: number;
  circuit_until: Date | null;
  circuit_threshold: number | null;
  circuit_timeout_s: number | null;
  latency_ms: number | null;
  pages_fetched: number;
  pages_failed: number;
  created_at: Date;
  updated_at: Date;
  stalled_by: 'DOMAIN_BLOCKED' | 'MAINTENANCE' | 'PROXY_UNAVAILABLE' | 'CIRCUIT_OPEN' | null;
}

// next_at is -infinity until the first request, which no Date can say.
const COLUMNS = `id, domain, is_active, blocked_reason, parser, shadow_parser, user_agent, rate_limit_rps, crawl_delay_ms,
  throttle_ms, autothrottle, max_concurrency, maintenance_windows, recrawl_interval_s, proxy_strategy, proxy_country, uses_proxies,
  CASE WHEN isfinite(next_at) THEN next_at END AS next_at, circuit_state, circuit_failures, circuit_until,
  circuit_threshold, circuit_timeout_s, latency_ms, pages_fetched, pages_failed, created_at, updated_at,
  CASE WHEN NOT is_active THEN 'DOMAIN_BLOCKED'
    WHEN maintenance_end(maintenance_windows, now()) IS NOT NULL THEN 'MAINTENANCE'
    WHEN uses_proxies AND NOT EXISTS (SELECT FROM ${POOL('domains.id', 'domains.proxy_country')}
      WHERE ${HOUR_LEFT} IS NULL OR ${HOUR_LEFT} > 0) THEN 'PROXY_UNAVAILABLE'
    WHEN circuit_state = 'open' THEN 'CIRCUIT_OPEN' END AS stalled_by`;

export const DOMAIN_SORTS = { domain: { keys: [{ sql: 'domain', type: 'text' }], order: 'asc' } } satisfies Sorts;

export const listDomainRows = (filter: {
  blocked: boolean | undefined;
  query: string | undefined;
}): Listing<DomainRow> => ({
  columns: COLUMNS,
  from: 'domains',
  filters: [
    ['is_active <> ?', filter.blocked],
    ['strpos(domain, ?) > 0', filter.query],
  ],
});

export async function findDomain(sql: Sql, domain: string): Promise<DomainRow | undefined> {
  return (await sql.query<DomainRow>(`SELECT ${COLUMNS} FROM domains WHERE domain = $1`, [domain]))[0];
}

/** What an operator may set. Absent fields stay as they are; null goes back to the default. */
export interface DomainChange {
  parser?: string | null;
  shadow_parser?: string | null;
  user_agent?: string | null;
  rate_limit_rps?: number | null;
  autothrottle?: boolean;
  max_concurrency?: number | null;
  maintenance_windows?: unknown[];
  recrawl_interval_s?: number | null;
  proxy_strategy?: DomainRow['proxy_strategy'];
  proxy_country?: string | null;
  uses_proxies?: boolean;
  circuit_threshold?: number | null;
  circuit_timeout_s?: number | null;
}

/** Makes the row where there is none: a policy may come before the first crawl. */
export async function upsertDomainPolicy(
  sql: Sql,
  row: { id: string; domain: string },
  change: DomainChange,
): Promise<DomainRow> {
  const rows = await sql.query<DomainRow>(
    `INSERT INTO domains (id, domain, parser, shadow_parser, user_agent, rate_limit_rps, autothrottle, max_concurrency,
       maintenance_windows, recrawl_interval_s, proxy_strategy, proxy_country, uses_proxies, circuit_threshold, circuit_timeout_s)
     SELECT $1, $2, x.parser, x.shadow_parser, x.user_agent, x.rate_limit_rps, coalesce(x.autothrottle, false), x.max_concurrency,
       coalesce(x.maintenance_windows, '[]'), x.recrawl_interval_s, coalesce(x.proxy_strategy, 'round_robin'), x.proxy_country,
       coalesce(x.uses_proxies, false), x.circuit_threshold, x.circuit_timeout_s
     FROM json_populate_record(NULL::domains, $3::json) AS x
     ON CONFLICT (domain) DO UPDATE SET
       parser = CASE WHEN $4::jsonb ? 'parser' THEN excluded.parser ELSE domains.parser END,
       shadow_parser = CASE WHEN $4::jsonb ? 'shadow_parser' THEN excluded.shadow_parser ELSE domains.shadow_parser END,
       user_agent = CASE WHEN $4::jsonb ? 'user_agent' THEN excluded.user_agent ELSE domains.user_agent END,
       rate_limit_rps = CASE WHEN $4::jsonb ? 'rate_limit_rps' THEN excluded.rate_limit_rps ELSE domains.rate_limit_rps END,
       autothrottle = CASE WHEN $4::jsonb ? 'autothrottle' THEN excluded.autothrottle ELSE domains.autothrottle END,
       max_concurrency = CASE WHEN $4::jsonb ? 'max_concurrency' THEN excluded.max_concurrency ELSE domains.max_concurrency END,
       maintenance_windows =
         CASE WHEN $4::jsonb ? 'maintenance_windows' THEN excluded.maintenance_windows ELSE domains.maintenance_windows END,
       recrawl_interval_s =
         CASE WHEN $4::jsonb ? 'recrawl_interval_s' THEN excluded.recrawl_interval_s ELSE domains.recrawl_interval_s END,
       proxy_strategy = CASE WHEN $4::jsonb ? 'proxy_strategy' THEN excluded.proxy_strategy ELSE domains.proxy_strategy END,
       proxy_country = CASE WHEN $4::jsonb ? 'proxy_country' THEN excluded.proxy_country ELSE domains.proxy_country END,
       uses_proxies = CASE WHEN $4::jsonb ? 'uses_proxies' THEN excluded.uses_proxies ELSE domains.uses_proxies END,
       circuit_threshold =
         CASE WHEN $4::jsonb ? 'circuit_threshold' THEN excluded.circuit_threshold ELSE domains.circuit_threshold END,
       circuit_timeout_s =
         CASE WHEN $4::jsonb ? 'circuit_timeout_s' THEN excluded.circuit_timeout_s ELSE domains.circuit_timeout_s END,
       -- A window that is taken away while it holds no longer keeps the domain closed; whatever else does, still does.
       next_at = CASE WHEN $4::jsonb ? 'maintenance_windows' AND maintenance_end(domains.maintenance_windows, now()) IS NOT NULL
         THEN greatest(domains.circuit_until, now() + greatest(1000, domains.crawl_delay_ms, domains.throttle_ms) * interval '1 ms')
         ELSE domains.next_at END,
       updated_at = now()
     RETURNING ${COLUMNS}`,
    [row.id, row.domain, JSON.stringify(change), JSON.stringify(change)],
  );
  return rows[0]!;
}

/** Whether a domain is open, with its row locked; undefined when there is none yet. */
export async function lockDomainActive(tx: Sql, domain: string): Promise<boolean | undefined> {
  const [row] = await tx.query<{ is_active: boolean }>('SELECT is_active FROM domains WHERE domain = $1 FOR UPDATE', [
    domain,
  ]);
  return row?.is_active;
}

/** The kill switch. Makes the row where there is none, so that a domain can be blocked before it is met. */
export async function setDomainActive(
  sql: Sql,
  row: { id: string; domain: string },
  active: boolean,
  reason: string | null,
): Promise<DomainRow> {
  const rows = await sql.query<DomainRow>(
    `INSERT INTO domains (id, domain, is_active, blocked_reason) VALUES ($1, $2, $3, $4)
     ON CONFLICT (domain) DO UPDATE SET is_active = excluded.is_active, blocked_reason = excluded.blocked_reason,
       waiting = excluded.is_active, updated_at = now()
     RETURNING ${COLUMNS}`,
    [row.id, row.domain, active, reason],
  );
  return rows[0]!;
}

/** Resets what was learned from the site's answers: circuit, throttle, pause and block. Its waiting tasks go on at once. */
export async function resetDomainRow(sql: Sql, domain: string): Promise<DomainRow | undefined> {
  const rows = await sql.query<DomainRow>(
    `UPDATE domains SET is_active = true, blocked_reason = NULL, circuit_state = 'closed', circuit_failures = 0,
       circuit_successes = 0, circuit_until = NULL, throttle_ms = 0, next_at = least(next_at, now()), waiting = true,
       updated_at = now()
     WHERE domain = $1 RETURNING ${COLUMNS}`,
    [domain],
  );
  return rows[0];
}
