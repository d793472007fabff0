import type { Sql } from '../../ports/database.ts';

/** A message was delivered. */
export async function noteSuccess(sql: Sql, id: string): Promise<void> {
  await sql.query('UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL', [id]);
}

/** A message was not delivered; returns for how many days none was. */
export async function noteFailure(sql: Sql, id: string): Promise<number> {
  const [row] = await sql.query<{ days: number }>(
    `UPDATE webhooks SET failing_since = coalesce(failing_since, now()) WHERE id = $1
     RETURNING extract(epoch FROM now() - failing_since)::float8 / 86400 AS days`,
    [id],
  );
  return row?.days ?? 0;
}

/** Nothing more is sent, and what waited is over. False when it was off already. */
export async function disableWebhook(sql: Sql, id: string, reason: string): Promise<boolean> {
  const rows = await sql.query(
    `WITH over AS (
       UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, claimed_until = NULL, error = $2
       WHERE webhook_id = $1 AND status = 'pending'
     )
     UPDATE webhooks SET is_active = false, disabled_reason = $2, updated_at = now() WHERE id = $1 AND is_active RETURNING id`,
    [id, reason],
  );
  return rows.length > 0;
}
