import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst } from '../listing.ts';

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

export const JOB_SORTS = { created: newestFirst() };

export const listJobViews = (filter: { status: string | undefined; kind: string | undefined }): Listing<JobView> => ({
  columns: JOB_COLUMNS,
  from: 'jobs',
  filters: [
    ['status = ?', filter.status],
    ['kind = ?', filter.kind],
  ],
});

/** Differs after every change of the row. Jobs are short-lived: transaction numbers do not start over within their life. */
export async function readJobVersion(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql.query<{ version: string }>(`SELECT id || ' ' || xmin AS version FROM jobs WHERE id = $1`, [
    id,
  ]);
  return row?.version;
}

export async function findJobView(sql: Sql, id: string): Promise<JobView | undefined> {
  return (await sql.query<JobView>(`SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1`, [id]))[0];
}
