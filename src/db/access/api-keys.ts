import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst } from '../listing.ts';

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

/** A key that may be used now. */
export async function findLiveApiKey(sql: Sql, hash: Buffer): Promise<ApiKeyRow | undefined> {
  const rows = await sql.query<ApiKeyRow>(
    `SELECT ${COLUMNS} FROM api_keys
     WHERE key_hash = $1 AND is_active AND (expires_at IS NULL OR expires_at > now())`,
    [hash],
  );
  return rows[0];
}

export const API_KEY_SORTS = { created: newestFirst() };

export const listApiKeyRows = (): Listing<ApiKeyRow> => ({ columns: COLUMNS, from: 'api_keys', filters: [] });

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
