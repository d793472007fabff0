import type { Sql } from '../../ports/database.ts';

/** Logins that have ended by themselves. */
export async function deleteExpiredSessions(sql: Sql): Promise<void> {
  await sql.query('DELETE FROM sessions WHERE expires_at < now()');
}

/** Links that were not used in time. */
export async function deleteExpiredLinks(sql: Sql): Promise<void> {
  await sql.query('DELETE FROM user_links WHERE expires_at < now()');
}

/** A request that is sent again is sent again soon: after a day its key may stand for another one. */
export async function deleteOldIdempotencyKeys(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM idempotency_keys WHERE created_at < now() - interval '1 day'`);
}

/** Errors of attempts long past. In batches, so that no lock is held for long; returns how many went. */
export async function deleteOldTaskErrors(sql: Sql, days: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM task_errors WHERE id IN (
       SELECT id FROM task_errors WHERE occurred_at < now() - $1::int * interval '1 day' ORDER BY occurred_at LIMIT $2)
     RETURNING id`,
    [days, limit],
  );
  return rows.length;
}
