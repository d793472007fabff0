import type { Sql } from '../../ports/database.ts';
import { JOB_COLUMNS, type JobView } from './job-views.ts';
import { JOB_CHANNEL } from './jobs.ts';

/** Cancels a job that waits or runs, and notifies its process. Anything else stays as it is and returns no row. */
export async function cancelJobRow(sql: Sql, id: string): Promise<JobView | undefined> {
  const rows = await sql.query<JobView>(
    `WITH notified AS (SELECT pg_notify('${JOB_CHANNEL}', $1::text))
     UPDATE jobs SET status = 'cancelled', completed_at = now(), lease_until = NULL, error_code = 'CANCELLED', error = 'it was cancelled'
     FROM notified WHERE id = $1::uuid AND status IN ('pending', 'running') RETURNING ${JOB_COLUMNS}`,
    [id],
  );
  return rows[0];
}

/** A failed or cancelled job starts over; anything else stays as it is and returns no row. */
export async function retryJobRow(sql: Sql, id: string): Promise<JobView | undefined> {
  const rows = await sql.query<JobView>(
    `UPDATE jobs SET status = 'pending', attempt = 0, due_at = now(), error = NULL, error_code = NULL, worker_id = NULL,
       lease_until = NULL, started_at = NULL, completed_at = NULL
     WHERE id = $1 AND status IN ('failed', 'cancelled') RETURNING ${JOB_COLUMNS}`,
    [id],
  );
  return rows[0];
}
