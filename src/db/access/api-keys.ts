import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { type Listing, newestFirst } from '../listing.ts';
import type { QuotaLimits } from './quotas.ts';
import type { Role } from './users.ts';

export type Scope = 'read' | 'write' | 'admin';

export interface ApiKeyRow extends QuotaLimits {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  rate_limit_rpm: number;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  is_active: boolean;
  /** The collections it is bound to; empty: it is not bound. */
  collections: string[];
  user_id: string | null;
  user_email: string | null;
}

const COLUMNS = `k.id, k.name, k.prefix, k.scopes, k.rate_limit_rpm, k.created_at, k.expires_at, k.last_used_at, k.is_active, k.collections,
  k.max_open_crawls, k.max_pages_per_day, k.user_id, u.email AS user_email`;

export interface NewApiKey extends QuotaLimits {
  id: string;
  name: string;
  prefix: string;
  hash: Buffer;
  scopes: readonly Scope[];
  rpm: number;
  userId: string | null;
  expiresAt: Date | null;
  collections: readonly string[];
}

export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<ApiKeyRow> {
  const rows = await sql.query<ApiKeyRow>(
    `WITH k AS (
       INSERT INTO api_keys (id, name, prefix, key_hash, scopes, rate_limit_rpm, user_id, expires_at, collections, max_open_crawls, max_pages_per_day)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING *)
     SELECT ${COLUMNS} FROM k LEFT JOIN users u ON u.id = k.user_id`,
    [
      key.id,
      key.name,
      key.prefix,
      key.hash,
      key.scopes,
      key.rpm,
      key.userId,
      key.expiresAt,
      key.collections,
      key.max_open_crawls,
      key.max_pages_per_day,
    ],
  );
  return rows[0]!;
}

export interface LiveApiKey extends ApiKeyRow {
  /** Those of its collections that are still there. */
  live_collections: string[];
  /** Of the person it belongs to, if any. */
  owner_role: Role | null;
}

/** A key that may be used now. It rests while the person it belongs to is inactive. */
export async function findLiveApiKey(sql: Sql, hash: Buffer): Promise<LiveApiKey | undefined> {
  const rows = await sql.query<LiveApiKey>(
    `SELECT ${COLUMNS}, u.role AS owner_role,
       ARRAY(SELECT c.id FROM collections c WHERE c.id = ANY (k.collections)) AS live_collections
     FROM api_keys k LEFT JOIN users u ON u.id = k.user_id
     WHERE k.key_hash = $1 AND k.is_active AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.is_active IS NOT FALSE`,
    [hash],
  );
  return rows[0];
}

export const API_KEY_SORTS = { created: newestFirst('k.id') };

export const listApiKeyRows = (filter: {
  userId: string | undefined;
  /** Whether they can be used now. */
  active: boolean | undefined;
}): Listing<ApiKeyRow> => ({
  columns: COLUMNS,
  from: 'api_keys k LEFT JOIN users u ON u.id = k.user_id',
  filters: [
    ['k.user_id = ?', filter.userId],
    [
      '(k.is_active AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.is_active IS NOT FALSE) = ?',
      filter.active,
    ],
  ],
});

/** `userId`: only where it belongs to this person. */
export async function findApiKey(sql: Sql, id: string, userId?: string): Promise<ApiKeyRow | undefined> {
  const rows = await sql.query<ApiKeyRow>(
    `SELECT ${COLUMNS} FROM api_keys k LEFT JOIN users u ON u.id = k.user_id
     WHERE k.id = $1 AND ($2::uuid IS NULL OR k.user_id = $2)`,
    [id, userId ?? null],
  );
  return rows[0];
}

export type ApiKeyChange = Partial<
  Pick<
    ApiKeyRow,
    'name' | 'rate_limit_rpm' | 'expires_at' | 'collections' | 'is_active' | 'max_open_crawls' | 'max_pages_per_day'
  >
>;

/** Fields that are absent stay as they are, in one statement: two changes at once cannot undo each other. */
export async function updateApiKeyRow(sql: Sql, id: string, change: ApiKeyChange): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE api_keys k SET (name, rate_limit_rpm, expires_at, collections, is_active, max_open_crawls, max_pages_per_day) = (
       SELECT p.name, p.rate_limit_rpm, p.expires_at, p.collections, p.is_active, p.max_open_crawls, p.max_pages_per_day
       FROM jsonb_populate_record(k, $2::jsonb) AS p)
     WHERE k.id = $1 RETURNING k.id`,
    [id, toJson(change)],
  );
  return rows.length === 1;
}

/** `userId`: only where it belongs to this person. */
export async function deleteApiKeyRow(sql: Sql, id: string, userId?: string): Promise<boolean> {
  const rows = await sql.query(
    'DELETE FROM api_keys WHERE id = $1 AND ($2::uuid IS NULL OR user_id = $2) RETURNING id',
    [id, userId ?? null],
  );
  return rows.length === 1;
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
