import type { Sql } from '../../ports/database.ts';

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

export const JOB_COLUMNS = `id, kind, status, priority, payload, result, progress, attempt, max_attempts, worker_id, due_at, error_code, error,
  created_at, started_at, completed_at`;

/** Newest first, before `beforeId`. */
export function listJobViews(
  sql: Sql,
  filter: { limit: number; beforeId: string | undefined; status: string | undefined; kind: string | undefined },
): Promise<JobView[]> {
  return sql.query(
    `SELECT ${JOB_COLUMNS} FROM jobs
     WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR kind = $4)
     ORDER BY id DESC LIMIT $1`,
    [filter.limit, filter.beforeId ?? null, filter.status ?? null, filter.kind ?? null],
  );
}

export async function findJobView(sql: Sql, id: string): Promise<JobView | undefined> {
  return (await sql.query<JobView>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1`, [id]))[0];
}
