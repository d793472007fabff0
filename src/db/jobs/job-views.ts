import type { Sql } from '../../ports/database.ts';
import { JOB_CHANNEL } from './jobs.ts';

export interface JobView {
  id: string;
  kind: string;
  status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  priority: number;
  payload: Record<string, unknown>;
  result: unknown;
  progress: unknown;
  attempt: number;
  max_attempts: number;
  worker_id: string | null;
  due_at: Date;
  error_code: string | null;
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

const COLUMNS = `id, kind, status, priority, payload, result, progress, attempt, max_attempts, worker_id, due_at, error_code, error,
  created_at, started_at, completed_at`;

/** Newest first, before `beforeId`. */
export function listJobViews(
  sql: Sql,
  filter: { limit: number; beforeId: string | undefined; status: string | undefined; kind: string | undefined },
): Promise<JobView[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM jobs
     WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR kind = $4)
     ORDER BY id DESC LIMIT $1`,
    [filter.limit, filter.beforeId ?? null, filter.status ?? null, filter.kind ?? null],
  );
}

export async function findJobView(sql: Sql, id: string): Promise<JobView | undefined> {
  return (await sql.query<JobView>(`SELECT ${COLUMNS} FROM jobs WHERE id = $1`, [id]))[0];
}

/** A job that waits or runs is cancelled; one that runs hears of it. Anything else stays as it is and gives no row. */
export async function cancelJobRow(sql: Sql, id: string): Promise<JobView | undefined> {
  const rows = await sql.query<JobView>(
    `WITH told AS (SELECT pg_notify('${JOB_CHANNEL}', $1::text))
     UPDATE jobs SET status = 'cancelled', completed_at = now(), lease_until = NULL, error_code = 'CANCELLED', error = 'it was cancelled'
     FROM told WHERE id = $1::uuid AND status IN ('pending', 'running') RETURNING ${COLUMNS}`,
    [id],
  );
  return rows[0];
}

/** A failed or cancelled job starts over; anything else stays as it is and gives no row. */
export async function retryJobRow(sql: Sql, id: string): Promise<JobView | undefined> {
  const rows = await sql.query<JobView>(
    `UPDATE jobs SET status = 'pending', attempt = 0, due_at = now(), error = NULL, error_code = NULL, worker_id = NULL,
       lease_until = NULL, started_at = NULL, completed_at = NULL
     WHERE id = $1 AND status IN ('failed', 'cancelled') RETURNING ${COLUMNS}`,
    [id],
  );
  return rows[0];
}
