import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { countListing, type Filter, type Listing, newestFirst } from '../listing.ts';
import type { StoredHeaders } from '../stored-headers.ts';

/** Only events that fit all that is given: operations/webhooks/webhook-filter.ts says how. */
export interface StoredFilter {
  domains?: string[] | undefined;
  collection_ids?: string[] | undefined;
  source_ids?: string[] | undefined;
  url_pattern?: string | undefined;
  min_price_change_percent?: number | undefined;
}

export interface WebhookRow {
  id: string;
  source_id: string | null;
  crawl_id: string | null;
  url: string;
  headers: StoredHeaders;
  events: string[];
  filter: StoredFilter;
  is_active: boolean;
  disabled_reason: string | null;
  failing_since: Date | null;
  previous_secret_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

export type WebhookFields = Pick<WebhookRow, 'url' | 'headers' | 'events' | 'filter' | 'is_active'>;

const COLUMNS = `id, source_id, crawl_id, url, headers, events, filter, is_active, disabled_reason, failing_since,
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS previous_secret_until, created_at, updated_at`;

export const WEBHOOK_SORTS = { created: newestFirst() };

/** Those of a source, or those that hear of everything. */
export type WebhookScope = { sourceId: string } | 'global';

const filtersOf = (scope: WebhookScope): Filter[] =>
  scope === 'global' ? [['source_id IS NULL AND crawl_id IS NULL']] : [['source_id = ?', scope.sourceId]];

export const listWebhookRows = (scope: WebhookScope): Listing<WebhookRow> => ({
  columns: COLUMNS,
  from: 'webhooks',
  filters: filtersOf(scope),
});

export const countWebhooks = (sql: Sql, scope: WebhookScope): Promise<number> =>
  countListing(sql, listWebhookRows(scope), WEBHOOK_SORTS.created);

export async function findWebhook(sql: Sql, id: string): Promise<WebhookRow | undefined> {
  return (await sql.query<WebhookRow>(`SELECT ${COLUMNS} FROM webhooks WHERE id = $1`, [id]))[0];
}

export async function insertWebhook(
  sql: Sql,
  row: Pick<WebhookRow, 'id' | 'source_id' | 'crawl_id'> & { secret: string | null },
  fields: WebhookFields,
): Promise<WebhookRow> {
  const rows = await sql.query<WebhookRow>(
    `INSERT INTO webhooks (id, source_id, crawl_id, secret, url, headers, events, filter, is_active)
     SELECT id, source_id, crawl_id, secret, url, headers, events, filter, is_active
     FROM json_populate_record(NULL::webhooks, $1::json)
     RETURNING ${COLUMNS}`,
    [toJson({ ...row, ...fields })],
  );
  return rows[0]!;
}

/** Turning it on forgets why it was turned off. */
export async function updateWebhookRow(sql: Sql, id: string, fields: WebhookFields): Promise<WebhookRow | undefined> {
  const rows = await sql.query<WebhookRow>(
    `UPDATE webhooks SET url = $2, headers = $3, events = $4, is_active = $5, filter = $6, updated_at = now(),
       disabled_reason = CASE WHEN $5 THEN NULL ELSE disabled_reason END,
       failing_since = CASE WHEN $5 AND NOT is_active THEN NULL ELSE failing_since END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, fields.url, JSON.stringify(fields.headers), fields.events, fields.is_active, JSON.stringify(fields.filter)],
  );
  return rows[0];
}

export async function deleteWebhookRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM webhooks WHERE id = $1 RETURNING id', [id])).length === 1;
}

/** The old secret signs beside the new one until the overlap is over. */
export async function rotateWebhookSecret(
  sql: Sql,
  id: string,
  secret: string,
  overlapS: number,
): Promise<WebhookRow | undefined> {
  const rows = await sql.query<WebhookRow>(
    `UPDATE webhooks SET previous_secret = secret, previous_secret_until = now() + $3::int * interval '1 s', secret = $2,
       updated_at = now()
     WHERE id = $1 AND secret IS NOT NULL RETURNING ${COLUMNS}`,
    [id, secret, overlapS],
  );
  return rows[0];
}
