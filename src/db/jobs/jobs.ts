import type { Sql } from '../../ports/database.ts';

export interface NewJob {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  priority?: number;
  /** At most one open job of a kind has this key. */
  unique_key?: string;
  delay_ms?: number;
  max_attempts?: number;
}

export interface ClaimedJob {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  attempt: number;
  max_attempts: number;
}

/** The channel on which new jobs are announced, and, by their id, cancelled ones. */
export const JOB_CHANNEL = 'crawl4r_jobs';

/** Plans a job; undefined when an open one has the same key. */
export async function insertJob(sql: Sql, job: NewJob): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO jobs (id, kind, payload, priority, unique_key, due_at, max_attempts)
       VALUES ($1, $2, $3, $4, $5, now() + $6::int * interval '1 ms', $7)
       ON CONFLICT DO NOTHING RETURNING id
     )
     SELECT id, pg_notify('${JOB_CHANNEL}', '') FROM made`,
    [
      job.id,
      job.kind,
      job.payload,
      job.priority ?? 5,
      job.unique_key ?? null,
      job.delay_ms ?? 0,
      job.max_attempts ?? 5,
    ],
  );
  return row?.id;
}

/** Takes due jobs of the kinds this process can run, urgent ones first. */
export function claimJobs(
  sql: Sql,
  workerId: string,
  kinds: readonly string[],
  max: number,
  leaseMs: number,
): Promise<ClaimedJob[]> {
  return sql.query<ClaimedJob>(
    `WITH due AS (
       SELECT id FROM jobs WHERE status = 'pending' AND due_at <= now() AND kind = ANY($2::text[])
       ORDER BY priority, due_at LIMIT $3 FOR UPDATE SKIP LOCKED
     )
     UPDATE jobs j SET status = 'running', attempt = attempt + 1, worker_id = $1, started_at = now(),
       lease_until = now() + $4::int * interval '1 ms'
     FROM due WHERE j.id = due.id
     RETURNING j.id, j.kind, j.payload, j.attempt, j.max_attempts`,
    [workerId, kinds, max, leaseMs],
  );
}

/** True while the job is still ours. */
export async function renewJob(
  sql: Sql,
  job: { id: string; attempt: number },
  workerId: string,
  leaseMs: number,
  progress: Record<string, unknown> | undefined,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE jobs SET lease_until = now() + $4::int * interval '1 ms', progress = coalesce(progress, '{}') || coalesce($5::jsonb, '{}')
     WHERE id = $1 AND attempt = $2 AND worker_id = $3 AND status = 'running' RETURNING id`,
    [job.id, job.attempt, workerId, leaseMs, progress ?? null],
  );
  return rows.length > 0;
}

export async function completeJob(
  sql: Sql,
  job: { id: string; attempt: number },
  workerId: string,
  result: Record<string, unknown> | undefined,
): Promise<void> {
  await sql.query(
    `UPDATE jobs SET status = 'completed', result = $4, completed_at = now(), lease_until = NULL, error = NULL, error_code = NULL
     WHERE id = $1 AND attempt = $2 AND worker_id = $3 AND status = 'running'`,
    [job.id, job.attempt, workerId, result ?? null],
  );
}

/** Ends an attempt: pending again after `delayMs`, or failed for good when it is undefined. */
export async function failJob(
  sql: Sql,
  job: { id: string; attempt: number },
  workerId: string,
  error: { code: string; message: string },
  delayMs: number | undefined,
): Promise<void> {
  await sql.query(
    `UPDATE jobs SET status = CASE WHEN $6::int IS NULL THEN 'failed' ELSE 'pending' END, error_code = $4, error = $5, lease_until = NULL,
       due_at = now() + coalesce($6::int, 0) * interval '1 ms', completed_at = CASE WHEN $6::int IS NULL THEN now() END
     WHERE id = $1 AND attempt = $2 AND worker_id = $3 AND status = 'running'`,
    [job.id, job.attempt, workerId, error.code, error.message, delayMs ?? null],
  );
}

/** Ends the leases of workers that are known to be gone. */
export async function expireJobs(sql: Sql, workerIds: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE jobs SET lease_until = now() - interval '1 ms' WHERE worker_id = ANY($1::text[]) AND status = 'running'`,
    [workerIds],
  );
}

/** Jobs whose process vanished run again, or fail when they did so too often. */
export async function reapJobs(sql: Sql): Promise<void> {
  await sql.query(
    `UPDATE jobs SET status = CASE WHEN attempt >= max_attempts THEN 'failed' ELSE 'pending' END,
       error_code = 'WORKER_LOST', error = 'the process that ran this job vanished', lease_until = NULL,
       completed_at = CASE WHEN attempt >= max_attempts THEN now() END
     WHERE status = 'running' AND lease_until < now()`,
  );
}
