import type { Sql } from '../../ports/database.ts';
import { OFF_BY } from './choose-proxy.ts';

export interface DomainProxyRow {
  proxy_id: string;
  name: string;
  url: string;
  country_code: string | null;
  city: string | null;
  is_active: boolean;
  off_by: 'person' | 'health' | null;
  proxy_is_active: boolean;
  priority: number;
  position: number;
  use_count: number;
  success_count: number;
  failure_count: number;
  avg_response_ms: number | null;
  last_used_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The pool of a domain, best first. Pools are small: one page holds them. */
export function listDomainProxyRows(sql: Sql, domainId: string): Promise<DomainProxyRow[]> {
  return sql.query(
    `SELECT dp.proxy_id, p.name, p.url, p.country_code, p.city, dp.is_active, p.is_active AS proxy_is_active,
       coalesce(${OFF_BY('dp')}, ${OFF_BY('p')}) AS off_by, dp.priority, dp.position, dp.use_count,
       dp.success_count, dp.failure_count, dp.avg_response_ms, dp.last_used_at, dp.created_at, dp.updated_at
     FROM domain_proxies dp JOIN proxies p ON p.id = dp.proxy_id
     WHERE dp.domain_id = $1 ORDER BY dp.priority, dp.position LIMIT 1000`,
    [domainId],
  );
}

/** Assigning a proxy again sets its priority and turns it on. */
export async function assignProxies(
  sql: Sql,
  domainId: string,
  proxyIds: readonly string[],
  priority: number,
): Promise<void> {
  await sql.query(
    `INSERT INTO domain_proxies (domain_id, proxy_id, priority) SELECT $1, unnest($2::uuid[]), $3
     ON CONFLICT (domain_id, proxy_id) DO UPDATE SET priority = excluded.priority, is_active = true, off_by_health = false,
       failure_count = 0`,
    [domainId, proxyIds, priority],
  );
}

export async function updateDomainProxyRow(
  sql: Sql,
  domainId: string,
  proxyId: string,
  change: { is_active: boolean | undefined; priority: number | undefined },
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE domain_proxies SET is_active = coalesce($3, is_active), priority = coalesce($4, priority),
       failure_count = CASE WHEN $3 THEN 0 ELSE failure_count END, off_by_health = off_by_health AND $3::boolean IS NULL
     WHERE domain_id = $1 AND proxy_id = $2 RETURNING proxy_id`,
    [domainId, proxyId, change.is_active ?? null, change.priority ?? null],
  );
  return rows.length === 1;
}

export async function removeDomainProxy(sql: Sql, domainId: string, proxyId: string): Promise<boolean> {
  const rows = await sql.query('DELETE FROM domain_proxies WHERE domain_id = $1 AND proxy_id = $2 RETURNING proxy_id', [
    domainId,
    proxyId,
  ]);
  return rows.length === 1;
}

/** A domain with a pool goes through it; an empty pool means directly. Says whether it has one. */
export async function refreshUsesProxies(sql: Sql, domainId: string): Promise<boolean> {
  const [row] = await sql.query<{ uses_proxies: boolean }>(
    `UPDATE domains SET uses_proxies = EXISTS (SELECT FROM domain_proxies WHERE domain_id = $1), updated_at = now()
     WHERE id = $1 RETURNING uses_proxies`,
    [domainId],
  );
  return row?.uses_proxies === true;
}
