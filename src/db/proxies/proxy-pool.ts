import type { Sql, Transaction } from '../../ports/database.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';
import { HOUR_LEFT, OFF_BY } from './choose-proxy.ts';

export interface ProxyRow {
  id: string;
  name: string;
  url: string;
  username: string | null;
  has_password: boolean;
  country_code: string | null;
  city: string | null;
  provider: string | null;
  monthly_cost: number | null;
  max_requests_per_hour: number | null;
  hour_left: number | null;
  is_active: boolean;
  off_by: 'person' | 'health' | null;
  failure_count: number;
  success_count: number;
  avg_response_ms: number | null;
  last_used_at: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  checked_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

// The password itself is read only where a request is sent through the proxy.
const COLUMNS = `id, name, url, username, password IS NOT NULL AS has_password, country_code, city, provider,
  monthly_cost, max_requests_per_hour, ${HOUR_LEFT} AS hour_left, is_active, ${OFF_BY('p')} AS off_by, failure_count, success_count, avg_response_ms, last_used_at, last_success_at, last_failure_at, checked_at, created_at, updated_at`;

export const PROXY_SORTS = {
  created: newestFirst(),
  name: {
    keys: [
      { sql: 'name', type: 'text' },
      { sql: 'id', type: 'uuid' },
    ],
    order: 'asc',
  },
} satisfies Sorts;

export const listProxyRows = (filter: {
  active: boolean | undefined;
  country: string | undefined;
}): Listing<ProxyRow> => ({
  columns: COLUMNS,
  from: 'proxies p',
  filters: [
    ['is_active = ?', filter.active],
    ['country_code = ?', filter.country],
  ],
});

export async function findProxy(sql: Sql, id: string): Promise<ProxyRow | undefined> {
  return (await sql.query<ProxyRow>(`SELECT ${COLUMNS} FROM proxies p WHERE id = $1`, [id]))[0];
}

export async function findProxySecret(
  sql: Sql,
  id: string,
): Promise<{ url: string; username: string | null; password: string | null } | undefined> {
  const rows = await sql.query<{ url: string; username: string | null; password: string | null }>(
    'SELECT url, username, password FROM proxies WHERE id = $1',
    [id],
  );
  return rows[0];
}

export interface ProxyFields {
  name: string;
  url: string;
  username: string | null;
  password: string | null;
  country_code: string | null;
  city: string | null;
  provider: string | null;
  monthly_cost: number | null;
  max_requests_per_hour: number | null;
}

const values = (id: string, fields: ProxyFields) => [
  id,
  fields.name,
  fields.url,
  fields.username,
  fields.password,
  fields.country_code,
  fields.city,
  fields.provider,
  fields.monthly_cost,
  fields.max_requests_per_hour,
];

export async function insertProxy(sql: Sql, id: string, fields: ProxyFields): Promise<ProxyRow> {
  const rows = await sql.query<ProxyRow>(
    `INSERT INTO proxies AS p (id, name, url, username, password, country_code, city, provider, monthly_cost, max_requests_per_hour)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
    values(id, fields),
  );
  return rows[0]!;
}

/**
 * `keepPassword` leaves the stored one as it is, but only for the same scheme, host, port and user: it must not be sent to
 * another host's listener.
 */
export async function updateProxyRow(
  sql: Sql,
  id: string,
  fields: ProxyFields,
  keepPassword: boolean,
): Promise<ProxyRow | undefined> {
  const rows = await sql.query<ProxyRow>(
    `UPDATE proxies p SET name = $2, url = $3, username = $4, password = CASE WHEN $11 AND url = $3 AND username = $4 THEN password ELSE $5 END,
       country_code = $6, city = $7, provider = $8, monthly_cost = $9, max_requests_per_hour = $10, updated_at = now()
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [...values(id, fields), keepPassword],
  );
  return rows[0];
}

/**
 * Deletes a proxy and returns the pools it leaves empty: those domains are fetched directly from then on, as when the last
 * proxy is taken out of a pool by hand. Domains are locked first, as claims do. Undefined: there is no such proxy.
 */
export async function deleteProxyRow(tx: Transaction, id: string): Promise<string[] | undefined> {
  const domains = await tx.query<{ id: string }>(
    `SELECT d.id FROM domains d JOIN domain_proxies dp ON dp.domain_id = d.id WHERE dp.proxy_id = $1 ORDER BY d.id FOR UPDATE OF d`,
    [id],
  );
  if ((await tx.query('DELETE FROM proxies WHERE id = $1 RETURNING id', [id])).length === 0) return undefined;
  const emptied = await tx.query<{ domain: string }>(
    `UPDATE domains d SET uses_proxies = false, updated_at = now()
     WHERE d.id = ANY($1::uuid[]) AND d.uses_proxies AND NOT EXISTS (SELECT FROM domain_proxies dp WHERE dp.domain_id = d.id)
     RETURNING d.domain`,
    [domains.map((domain) => domain.id)],
  );
  return emptied.map(({ domain }) => domain).sort();
}

/**
 * Turning a proxy on clears its failures, here and at every domain that uses it, and ends what health turned off there. What a
 * user turned off for a domain stays off.
 */
export async function setProxyActive(sql: Sql, id: string, active: boolean): Promise<ProxyRow | undefined> {
  const rows = await sql.query<ProxyRow>(
    `WITH forgiven AS (
       UPDATE domain_proxies SET is_active = is_active OR off_by_health, off_by_health = false, failure_count = 0
       WHERE proxy_id = $1 AND $2::boolean
     )
     UPDATE proxies p SET is_active = $2, off_by_health = false, failure_count = CASE WHEN $2 THEN 0 ELSE failure_count END, updated_at = now()
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, active],
  );
  return rows[0];
}
