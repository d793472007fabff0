import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst } from '../listing.ts';
import type { StoredHeaders } from '../stored-headers.ts';

export interface WebhookRow {
  id: string;
  source_id: string | null;
  crawl_id: string | null;
  url: string;
  headers: StoredHeaders;
  events: string[];
  is_active: boolean;
  disabled_reason: string | null;
  previous_secret_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

export type WebhookFields = Pick<WebhookRow, 'url' | 'headers' | 'events' | 'is_active'>;

const COLUMNS = `id, source_id, crawl_id, url, headers, events, is_active, disabled_reason,
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS previous_secret_until, created_at, updated_at`;

export const WEBHOOK_SORTS = { created: newestFirst() };

export const listWebhookRows = (sourceId: string): Listing<WebhookRow> => ({
  columns: COLUMNS,
  from: 'webhooks',
  filters: [['source_id = ?', sourceId]],
});

export async function findWebhook(sql: Sql, id: string): Promise<WebhookRow | undefined> {
  return (await sql.query<WebhookRow>(`SELECT ${COLUMNS} FROM webhooks WHERE id = $1`, [id]))[0];
}

export async function insertWebhook(
  sql: Sql,
  row: { id: string; source_id: string; secret: string },
  fields: WebhookFields,
): Promise<WebhookRow> {
  const rows = await sql.query<WebhookRow>(
    `INSERT INTO webhooks (id, source_id, secret, url, headers, events, is_active) VALUES ($1, $2, $3, $4, $5, $6, $7)
     RETURNING ${COLUMNS}`,
    [row.id, row.source_id, row.secret, fields.url, JSON.stringify(fields.headers), fields.events, fields.is_active],
  );
  return rows[0]!;
}

/** Turning it on forgets why it was turned off. */
export async function updateWebhookRow(sql: Sql, id: string, fields: WebhookFields): Promise<WebhookRow | undefined> {
  const rows = await sql.query<WebhookRow>(
    `UPDATE webhooks SET url = $2, headers = $3, events = $4, is_active = $5, updated_at = now(),
       disabled_reason = CASE WHEN $5 THEN NULL ELSE disabled_reason END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, fields.url, JSON.stringify(fields.headers), fields.events, fields.is_active],
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

/** The receiver is gone: nothing more is sent, and what waited is over. */
export async function disableWebhook(sql: Sql, id: string, reason: string): Promise<void> {
  await sql.query(
    `WITH over AS (
       UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, error = $2
       WHERE webhook_id = $1 AND status = 'pending'
     )
     UPDATE webhooks SET is_active = false, disabled_reason = $2, updated_at = now() WHERE id = $1`,
    [id, reason],
  );
}
