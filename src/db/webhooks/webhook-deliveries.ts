import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { type Listing, newestFirst } from '../listing.ts';

export interface DeliveryRow {
  id: string;
  webhook_id: string;
  crawl_id: string | null;
  event: string;
  payload: Record<string, unknown>;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  max_attempts: number;
  next_attempt_at: Date | null;
  last_attempt_at: Date | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  created_at: Date;
}

const COLUMNS = `id, webhook_id, crawl_id, event, payload, status, attempts, max_attempts, next_attempt_at, last_attempt_at,
  response_status, response_body, error, created_at`;

export type NewDelivery = Pick<DeliveryRow, 'id' | 'webhook_id' | 'crawl_id' | 'event' | 'payload' | 'max_attempts'>;

/** A message to a webhook that was deleted meanwhile is left out. */
export async function insertDeliveries(sql: Sql, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, crawl_id, event, payload, max_attempts, endpoint)
     SELECT x.id, x.webhook_id, x.crawl_id, x.event, x.payload, x.max_attempts, sha256(convert_to(w.url, 'UTF8'))
     FROM json_to_recordset($1::json)
       AS x (id uuid, webhook_id uuid, crawl_id uuid, event text, payload jsonb, max_attempts int)
     JOIN webhooks w ON w.id = x.webhook_id`,
    [toJson(rows)],
  );
}

export const DELIVERY_SORTS = { created: newestFirst() };

export const listDeliveryRows = (filter: {
  webhookId?: string | undefined;
  crawlId?: string | undefined;
  status: string | undefined;
}): Listing<DeliveryRow> => ({
  columns: COLUMNS,
  from: 'webhook_deliveries',
  filters: [
    ['webhook_id = ?', filter.webhookId],
    ['crawl_id = ?', filter.crawlId],
    ['status = ?', filter.status],
  ],
});

export async function findDelivery(sql: Sql, id: string): Promise<DeliveryRow | undefined> {
  return (await sql.query<DeliveryRow>(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = $1`, [id]))[0];
}

/** Sends a message again, with all its attempts. */
export async function resetDelivery(sql: Sql, webhookId: string, id: string): Promise<DeliveryRow | undefined> {
  const rows = await sql.query<DeliveryRow>(
    `UPDATE webhook_deliveries SET status = 'pending', attempts = 0, next_attempt_at = now(), claimed_until = NULL, error = NULL,
       response_status = NULL, response_body = NULL
     WHERE id = $2 AND webhook_id = $1 RETURNING ${COLUMNS}`,
    [webhookId, id],
  );
  return rows[0];
}

/** What was sent or given up long ago goes in batches; returns how many went. */
export async function deleteOldDeliveries(sql: Sql, days: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM webhook_deliveries WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE status <> 'pending' AND created_at < now() - $1::int * interval '1 day'
       ORDER BY created_at LIMIT $2)
     RETURNING id`,
    [days, limit],
  );
  return rows.length;
}
