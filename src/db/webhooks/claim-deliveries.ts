import type { Database, Sql } from '../../ports/database.ts';
import type { StoredHeaders } from '../stored-headers.ts';
import type { DeliveryRow } from './webhook-deliveries.ts';

export interface ClaimedDelivery {
  id: string;
  attempts: number;
  max_attempts: number;
  payload: Record<string, unknown>;
  webhook_id: string;
  url: string;
  headers: StoredHeaders;
  /** Sealed, as the one before it; null: the installation's own. */
  secret: string | null;
  previous_secret: string | null;
  is_active: boolean;
}

const TAKE = `UPDATE webhook_deliveries d SET attempts = d.attempts + 1, last_attempt_at = now(),
    next_attempt_at = now() + $2::int * interval '1 s', claimed_until = now() + $2::int * interval '1 s'`;
const TAKEN = `d.id, d.attempts, d.max_attempts, d.payload, w.id AS webhook_id, w.url, w.headers, w.secret, w.is_active,
    CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret`;

/**
 * Takes messages whose time has come: the oldest one of each address that is being sent nothing. An address is sent one
 * message at a time, over all processes, so one that does not answer holds up only its own messages, and these stay in order
 * while none of them fails. Each is out of reach for `leaseS`: a sender that dies leaves it to be sent again.
 */
export function claimDeliveries(database: Database, limit: number, leaseS: number): Promise<ClaimedDelivery[]> {
  return database.transaction(async (tx) => {
    await lockClaims(tx);
    return takeDue(tx, limit, leaseS);
  });
}

/** One claim at a time, and a statement of its own: the next one must see what the claim before it has taken. */
async function lockClaims(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('crawl4r webhook claims', 0))`);
}

/**
 * Goes from address to address along the index, and looks at one message of each: the cost does not grow with the messages
 * that wait for an address.
 */
function takeDue(sql: Sql, limit: number, leaseS: number): Promise<ClaimedDelivery[]> {
  return sql.query(
    `WITH RECURSIVE addresses AS (
       (SELECT endpoint FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint LIMIT 1)
       UNION ALL
       SELECT (SELECT n.endpoint FROM webhook_deliveries n WHERE n.status = 'pending' AND n.endpoint > a.endpoint
               ORDER BY n.endpoint LIMIT 1)
       FROM addresses a WHERE a.endpoint IS NOT NULL
     ), due AS (
       SELECT next.id FROM addresses a CROSS JOIN LATERAL (
         SELECT q.id, q.next_attempt_at FROM webhook_deliveries q
         WHERE q.status = 'pending' AND q.endpoint = a.endpoint AND q.next_attempt_at <= now()
         ORDER BY q.next_attempt_at, q.id LIMIT 1
       ) next
       WHERE NOT EXISTS (SELECT 1 FROM webhook_deliveries b
         WHERE b.status = 'pending' AND b.endpoint = a.endpoint AND b.claimed_until > now())
       ORDER BY next.next_attempt_at LIMIT $1
     )
     ${TAKE}
     FROM due JOIN webhook_deliveries own ON own.id = due.id JOIN webhooks w ON w.id = own.webhook_id
     WHERE d.id = due.id AND d.status = 'pending' AND d.next_attempt_at <= now()
     RETURNING ${TAKEN}`,
    [limit, leaseS],
  );
}

/** Takes this message, whatever else is being sent to its address; undefined when it is not due. */
export async function claimDelivery(sql: Sql, id: string, leaseS: number): Promise<ClaimedDelivery | undefined> {
  const rows = await sql.query<ClaimedDelivery>(
    `${TAKE} FROM webhooks w
     WHERE d.id = $1 AND w.id = d.webhook_id AND d.status = 'pending' AND d.next_attempt_at <= now()
     RETURNING ${TAKEN}`,
    [id, leaseS],
  );
  return rows[0];
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
    `UPDATE webhook_deliveries SET status = $3, next_attempt_at = now() + $4::float8 * interval '1 s', claimed_until = NULL,
       response_status = $5, response_body = $6, error = $7
     WHERE id = $1 AND attempts = $2 AND status = 'pending'`,
    [id, attempts, result.status, result.delay_s, result.response_status, result.response_body, result.error],
  );
}
