import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { type Listing, newestFirst } from '../listing.ts';
import type { StoredHeaders } from '../stored-headers.ts';

export interface DeliveryRow {
  id: string;
  webhook_id: string;
  crawl_id: string | null;
  event: string;
  payload: Record<string, unknown>;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  next_attempt_at: Date | null;
  last_attempt_at: Date | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  created_at: Date;
}

const COLUMNS = `id, webhook_id, crawl_id, event, payload, status, attempts, next_attempt_at, last_attempt_at, response_status,
  response_body, error, created_at`;

export type NewDelivery = Pick<DeliveryRow, 'id' | 'webhook_id' | 'crawl_id' | 'event' | 'payload'>;

export async function insertDeliveries(sql: Sql, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, crawl_id, event, payload)
     SELECT id, webhook_id, crawl_id, event, payload
     FROM json_to_recordset($1::json) AS x (id uuid, webhook_id uuid, crawl_id uuid, event text, payload jsonb)`,
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
    `UPDATE webhook_deliveries SET status = 'pending', attempts = 0, next_attempt_at = now(), error = NULL,
       response_status = NULL, response_body = NULL
     WHERE id = $2 AND webhook_id = $1 RETURNING ${COLUMNS}`,
    [webhookId, id],
  );
  return rows[0];
}

export interface ClaimedDelivery {
  id: string;
  attempts: number;
  payload: Record<string, unknown>;
  webhook_id: string;
  url: string;
  headers: StoredHeaders;
  /** Sealed, as the one before it; null: the installation's own. */
  secret: string | null;
  previous_secret: string | null;
  is_active: boolean;
}

/**
 * Takes messages whose time has come, or the one named. Each is out of reach for `leaseS`: a sender that dies leaves it
 * to be sent again.
 */
export function claimDeliveries(sql: Sql, limit: number, leaseS: number, only?: string): Promise<ClaimedDelivery[]> {
  return sql.query(
    `WITH due AS (
       SELECT id FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= now() AND ($3::uuid IS NULL OR id = $3)
       ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_deliveries d SET attempts = d.attempts + 1, last_attempt_at = now(),
       next_attempt_at = now() + $2::int * interval '1 s'
     FROM due JOIN webhook_deliveries own ON own.id = due.id JOIN webhooks w ON w.id = own.webhook_id
     WHERE d.id = due.id
     RETURNING d.id, d.attempts, d.payload, w.id AS webhook_id, w.url, w.headers, w.secret, w.is_active,
       CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret`,
    [limit, leaseS, only ?? null],
  );
}

export interface AttemptResult {
  status: DeliveryRow['status'];
  /** Until the next attempt; null when there is none. */
  delay_s: number | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

/** Ends an attempt; one that was overtaken by a later attempt changes nothing. */
export async function finishDelivery(
  sql: Sql,
  { id, attempts }: { id: string; attempts: number },
  result: AttemptResult,
): Promise<void> {
  await sql.query(
    `UPDATE webhook_deliveries SET status = $3, next_attempt_at = now() + $4::float8 * interval '1 s', response_status = $5,
       response_body = $6, error = $7
     WHERE id = $1 AND attempts = $2 AND status = 'pending'`,
    [id, attempts, result.status, result.delay_s, result.response_status, result.response_body, result.error],
  );
}
