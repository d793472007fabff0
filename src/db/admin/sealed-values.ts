import type { Sql } from '../../ports/database.ts';
import type { Secrets } from '../../secrets.ts';
import { resealHeaders, type StoredHeaders } from '../stored-headers.ts';
import { LINK_KEY, LINK_PURPOSE } from './link-key.ts';
import { CHECK, CHECK_PURPOSE } from './secrets-check.ts';

/** What sealed values are for; authenticated with each. Headers have their origin instead. */
export const PROXY_PURPOSE = 'proxy';
export const WEBHOOK_PURPOSE = 'webhook';
/** The fact that holds the secret for webhooks that came with a crawl. */
export const SHARED_SECRET = 'webhook_secret';

/** A column with sealed values; `read` and `write` turn it into text and back. */
interface Place {
  table: string;
  key: string;
  keyType: 'uuid' | 'text';
  column: string;
  read: string;
  write: string;
  only?: string;
  reseal(secrets: Secrets, text: string): string;
}

const plain = (table: string, column: string, purpose: string): Place => ({
  ...{ table, key: 'id', keyType: 'uuid', column, read: column, write: 'x.value' },
  reseal: (secrets, text) => secrets.seal(purpose, secrets.open(purpose, text)),
});
const fact = (name: string, purpose: string): Place => ({
  ...plain('settings', 'value', purpose),
  ...{ key: 'key', keyType: 'text', read: `value #>> '{}'`, write: 'to_jsonb(x.value)', only: `key = '${name}'` },
});
const headers = (table: string, column: string): Place => ({
  ...{ table, key: 'id', keyType: 'uuid', column, read: `${column}::text`, write: 'x.value::jsonb' },
  reseal: (secrets, text) => JSON.stringify(resealHeaders(secrets, JSON.parse(text) as StoredHeaders)),
});

/** Everywhere a sealed value is stored. */
export const SEALED_PLACES: readonly Place[] = [
  plain('proxies', 'password', PROXY_PURPOSE),
  plain('webhooks', 'secret', WEBHOOK_PURPOSE),
  plain('webhooks', 'previous_secret', WEBHOOK_PURPOSE),
  fact(SHARED_SECRET, WEBHOOK_PURPOSE),
  fact(LINK_KEY, LINK_PURPOSE),
  headers('crawl_configs', 'headers'),
  headers('sources', 'headers'),
  headers('webhooks', 'headers'),
  headers('crawls', 'headers'),
  // Last: an installation whose rotation was cut short still starts with the keys it had.
  fact(CHECK, CHECK_PURPOSE),
];

const condition = ({ read, only = 'true' }: Place, pattern: string) => `${only} AND ${read} ~ ${pattern}`;

/** How many rows hold a value that another key than `keyId` sealed. */
export async function countStale(sql: Sql, keyId: string): Promise<number> {
  const counts = SEALED_PLACES.map(
    (place) => `SELECT count(*) AS rows FROM ${place.table} WHERE ${condition(place, '$1')}`,
  );
  const [row] = await sql.query<{ rows: number }>(
    `SELECT sum(rows)::int AS rows FROM (${counts.join(' UNION ALL ')}) AS each`,
    [staleUnder(keyId)],
  );
  return row?.rows ?? 0;
}

/**
 * Seals one batch of a column anew, from the row after `after` on, and returns the last row; undefined: all are done.
 * In the order of the key, so that a pass reads each row once however few of them are stale.
 */
export async function resealBatch(
  tx: Sql,
  secrets: Secrets,
  place: Place,
  after: string | undefined,
  limit: number,
): Promise<{ last: string; rows: number } | undefined> {
  const { table, key, keyType, column, read, write, reseal } = place;
  const rows = await tx.query<{ key: string; value: string }>(
    `SELECT ${key}::text AS key, ${read} AS value FROM ${table}
     WHERE ${condition(place, '$1')} AND ($2::${keyType} IS NULL OR ${key} > $2)
     ORDER BY ${key} LIMIT $3 FOR UPDATE`,
    [staleUnder(secrets.keyId()), after ?? null, limit],
  );
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  await tx.query(
    `UPDATE ${table} t SET ${column} = ${write} FROM unnest($1::${keyType}[], $2::text[]) AS x (key, value) WHERE t.${key} = x.key`,
    [rows.map((row) => row.key), rows.map((row) => reseal(secrets, row.value))],
  );
  return { last: last.key, rows: rows.length };
}

const staleUnder = (keyId: string) => `enc:v1:(?!${keyId}:)`;
