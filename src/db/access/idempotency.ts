import type { Sql } from '../../ports/database.ts';

export interface IdempotencyKey {
  caller: string;
  route: string;
  key: string;
}

export interface IdempotencyRow {
  request_hash: Buffer;
  /** Null while the first request is still at work. */
  status: number | null;
  response: unknown;
}

const of = ({ caller, route, key }: IdempotencyKey) => [caller, route, key];

/**
 * True for the one request that may do the work. A row whose process died without an answer is taken over after
 * `abandonedS`.
 */
export async function claimIdempotencyKey(
  sql: Sql,
  key: IdempotencyKey,
  requestHash: Buffer,
  abandonedS: number,
): Promise<boolean> {
  const rows = await sql.query<{ key: string }>(
    `INSERT INTO idempotency_keys (caller, route, key, request_hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT (caller, route, key) DO UPDATE SET created_at = now()
       WHERE idempotency_keys.status IS NULL
         AND idempotency_keys.request_hash = excluded.request_hash
         AND idempotency_keys.created_at < now() - make_interval(secs => $5)
     RETURNING key`,
    [...of(key), requestHash, abandonedS],
  );
  return rows.length === 1;
}

export async function findIdempotencyKey(sql: Sql, key: IdempotencyKey): Promise<IdempotencyRow | undefined> {
  const rows = await sql.query<IdempotencyRow>(
    'SELECT request_hash, status, response FROM idempotency_keys WHERE caller = $1 AND route = $2 AND key = $3',
    of(key),
  );
  return rows[0];
}

export async function keepIdempotentAnswer(
  sql: Sql,
  key: IdempotencyKey,
  status: number,
  response: unknown,
): Promise<void> {
  await sql.query(
    'UPDATE idempotency_keys SET status = $4, response = $5 WHERE caller = $1 AND route = $2 AND key = $3',
    [...of(key), status, JSON.stringify(response)],
  );
}

/** A request that failed made nothing: the key is free again. */
export async function releaseIdempotencyKey(sql: Sql, key: IdempotencyKey): Promise<void> {
  await sql.query(
    'DELETE FROM idempotency_keys WHERE caller = $1 AND route = $2 AND key = $3 AND status IS NULL',
    of(key),
  );
}
