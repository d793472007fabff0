import type { Sql } from '../../ports/database.ts';
import type { Role } from './users.ts';

export type Scope = 'read' | 'write' | 'admin';

export interface ApiKeyRow {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  rate_limit_rpm: number;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  is_active: boolean;
}

const COLUMNS = 'id, name, prefix, scopes, rate_limit_rpm, created_at, expires_at, last_used_at, is_active';

export async function insertApiKey(
  sql: Sql,
  key: {
    id: string;
    name: string;
    prefix: string;
    hash: Buffer;
    scopes: readonly Scope[];
    rpm: number;
    userId: string | undefined;
    expiresAt: Date | undefined;
  },
): Promise<ApiKeyRow> {
  const rows = await sql.query<ApiKeyRow>(
    `INSERT INTO api_keys (id, name, prefix, key_hash, scopes, rate_limit_rpm, user_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
    [key.id, key.name, key.prefix, key.hash, key.scopes, key.rpm, key.userId, key.expiresAt],
  );
  return rows[0]!;
}

/** A key that may be used now, with the role of the person it belongs to, if any. It rests while that person is inactive. */
export async function findLiveApiKey(
  sql: Sql,
  hash: Buffer,
): Promise<(ApiKeyRow & { owner_role: Role | null }) | undefined> {
  const rows = await sql.query<ApiKeyRow & { owner_role: Role | null }>(
    `SELECT ${COLUMNS}, (SELECT u.role FROM users u WHERE u.id = k.user_id) AS owner_role
     FROM api_keys k
     WHERE key_hash = $1 AND is_active AND (expires_at IS NULL OR expires_at > now())
       AND NOT EXISTS (SELECT FROM users u WHERE u.id = k.user_id AND NOT u.is_active)`,
    [hash],
  );
  return rows[0];
}

/** Newest first, before `beforeId`. */
export async function listApiKeyRows(sql: Sql, limit: number, beforeId: string | undefined): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `SELECT ${COLUMNS} FROM api_keys WHERE $2::uuid IS NULL OR id < $2 ORDER BY id DESC LIMIT $1`,
    [limit, beforeId ?? null],
  );
}

export async function deleteApiKeyRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query<{ id: string }>('DELETE FROM api_keys WHERE id = $1 RETURNING id', [id])).length === 1;
}

/** Keys made by the program itself, replaced at each start. */
export async function deleteApiKeysNamed(sql: Sql, name: string): Promise<void> {
  await sql.query('DELETE FROM api_keys WHERE name = $1', [name]);
}

/** Last uses come in batches: one write for many requests. A later time is never replaced by an earlier one. */
export async function markApiKeysUsed(sql: Sql, uses: ReadonlyMap<string, Date>): Promise<void> {
  await sql.query(
    `UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, u.at)
     FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at) WHERE k.id = u.id`,
    [[...uses.keys()], [...uses.values()]],
  );
}
