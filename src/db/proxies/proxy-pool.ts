import type { Sql } from '../../ports/database.ts';

export interface ProxyRow {
  id: string;
  name: string;
  url: string;
  username: string | null;
  has_password: boolean;
  country_code: string | null;
  provider: string | null;
  is_active: boolean;
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
const COLUMNS = `id, name, url, username, password IS NOT NULL AS has_password, country_code, provider, is_active, failure_count,
  success_count, avg_response_ms, last_used_at, last_success_at, last_failure_at, checked_at, created_at, updated_at`;

/** Newest first, before `beforeId`. */
export function listProxyRows(
  sql: Sql,
  filter: { limit: number; beforeId: string | undefined; active: boolean | undefined },
): Promise<ProxyRow[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM proxies
     WHERE ($2::uuid IS NULL OR id < $2) AND ($3::boolean IS NULL OR is_active = $3) ORDER BY id DESC LIMIT $1`,
    [filter.limit, filter.beforeId ?? null, filter.active ?? null],
  );
}

export async function findProxy(sql: Sql, id: string): Promise<ProxyRow | undefined> {
  return (await sql.query<ProxyRow>(`SELECT ${COLUMNS} FROM proxies WHERE id = $1`, [id]))[0];
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
  provider: string | null;
}

export async function insertProxy(sql: Sql, id: string, fields: ProxyFields): Promise<ProxyRow> {
  const rows = await sql.query<ProxyRow>(
    `INSERT INTO proxies (id, name, url, username, password, country_code, provider)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
    [id, fields.name, fields.url, fields.username, fields.password, fields.country_code, fields.provider],
  );
  return rows[0]!;
}

/**
 * `keepPassword` leaves the stored one as it is, but only for the same scheme, host, port and user: it must not be sent to
 * a listener that somebody else put there.
 */
export async function updateProxyRow(
  sql: Sql,
  id: string,
  fields: ProxyFields,
  keepPassword: boolean,
): Promise<ProxyRow | undefined> {
  const rows = await sql.query<ProxyRow>(
    `UPDATE proxies SET name = $2, url = $3, username = $4, password = CASE WHEN $8 AND url = $3 AND username = $4 THEN password ELSE $5 END,
       country_code = $6, provider = $7, updated_at = now()
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, fields.name, fields.url, fields.username, fields.password, fields.country_code, fields.provider, keepPassword],
  );
  return rows[0];
}

export async function deleteProxyRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM proxies WHERE id = $1 RETURNING id', [id])).length === 1;
}

/** Turning a proxy on forgives its failures, here and for every domain that uses it. */
export async function setProxyActive(sql: Sql, id: string, active: boolean): Promise<ProxyRow | undefined> {
  const rows = await sql.query<ProxyRow>(
    `WITH forgiven AS (
       UPDATE domain_proxies SET is_active = true, off_by_health = false, failure_count = 0 WHERE proxy_id = $1 AND $2::boolean
     )
     UPDATE proxies SET is_active = $2, off_by_health = false, failure_count = CASE WHEN $2 THEN 0 ELSE failure_count END, updated_at = now()
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, active],
  );
  return rows[0];
}
