import type { Sql } from '../../ports/database.ts';
import { CRAWL_OPEN } from '../crawls/states.ts';

/** Null: the default of the settings; 0: no limit. */
export interface QuotaLimits {
  max_open_crawls: number | null;
  max_pages_per_day: number | null;
}

/** Someone whose crawls are counted: a key, or the person behind it. */
export interface QuotaHolder extends QuotaLimits {
  kind: 'key' | 'user';
  id: string;
}

/** The quotas that hold for a key, a person, or a key and its person. One that does not exist any more has none. */
export function findQuotaHolders(
  sql: Sql,
  keyId: string | undefined,
  userId: string | undefined,
): Promise<QuotaHolder[]> {
  return sql.query(
    `WITH k AS (SELECT id, user_id, max_open_crawls, max_pages_per_day FROM api_keys WHERE id = $1)
     SELECT 'key' AS kind, id, max_open_crawls, max_pages_per_day FROM k
     UNION ALL
     SELECT 'user', id, max_open_crawls, max_pages_per_day FROM users WHERE id = coalesce($2::uuid, (SELECT user_id FROM k))`,
    [keyId ?? null, userId ?? null],
  );
}

/** Until the transaction ends no other process starts anything for these holders: what is counted next stays true. */
export async function lockQuotas(sql: Sql, holderIds: readonly string[]): Promise<void> {
  await sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('quota:' || id, 0)) FROM (SELECT id FROM unnest($1::text[]) AS id ORDER BY id) AS ordered`,
    [holderIds],
  );
}

export interface QuotaUse {
  id: string;
  open_crawls: number;
  /** Stored today (UTC). */
  pages: number;
  /** What the open crawls may still fetch. */
  pages_held: number;
  /** When the next day begins. */
  resets_at: Date;
}

/** What holders use now. A page moves from held to stored, so that both together only grow when a crawl starts. */
export function readQuotaUse(sql: Sql, holderIds: readonly string[]): Promise<QuotaUse[]> {
  return sql.query(
    `SELECT h.id, o.open_crawls, o.pages_held,
       coalesce((SELECT p.pages FROM page_counts p WHERE p.owner = h.id AND p.day = (now() AT TIME ZONE 'UTC')::date), 0) AS pages,
       (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC' AS resets_at
     FROM unnest($1::uuid[]) AS h (id)
     CROSS JOIN LATERAL (
       SELECT count(*) AS open_crawls, coalesce(sum(greatest(0,
         c.max_pages::bigint + c.revisits - c.pages_crawled - c.pages_failed - c.pages_skipped - c.pages_cancelled)), 0)::bigint AS pages_held
       FROM crawls c WHERE (c.owner = h.id OR c.user_id = h.id) AND ${CRAWL_OPEN('c.status')}
     ) o`,
    [holderIds],
  );
}

export async function updateUserQuotas(sql: Sql, userId: string, limits: QuotaLimits): Promise<boolean> {
  const rows = await sql.query(
    'UPDATE users SET max_open_crawls = $2, max_pages_per_day = $3, updated_at = now() WHERE id = $1 RETURNING id',
    [userId, limits.max_open_crawls, limits.max_pages_per_day],
  );
  return rows.length === 1;
}
