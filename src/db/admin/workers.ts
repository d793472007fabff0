import type { Sql } from '../../ports/database.ts';

export interface WorkerRow {
  id: string;
  role: string;
  host: string;
  pid: number;
  version: string;
  state: Record<string, unknown>;
  started_at: Date;
  seen_at: Date;
}

export async function upsertWorker(sql: Sql, worker: Omit<WorkerRow, 'started_at' | 'seen_at'>): Promise<void> {
  await sql.query(
    `INSERT INTO workers (id, role, host, pid, version, state) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET seen_at = now(), state = excluded.state`,
    [worker.id, worker.role, worker.host, worker.pid, worker.version, worker.state],
  );
}

export async function deleteWorkers(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM workers WHERE id = ANY($1::text[])', [ids]);
}

export function listWorkersOn(sql: Sql, host: string): Promise<WorkerRow[]> {
  return sql.query<WorkerRow>('SELECT * FROM workers WHERE host = $1', [host]);
}

/** The living first, then those lost within a day. */
export function listWorkerRows(sql: Sql): Promise<(WorkerRow & { is_alive: boolean })[]> {
  return sql.query(
    `SELECT id, role, host, pid, version, state, started_at, seen_at, seen_at > now() - interval '2 minutes' AS is_alive
     FROM workers WHERE seen_at > now() - interval '1 day' ORDER BY is_alive DESC, role, id LIMIT 1000`,
  );
}

/** Those not heard of for so long, but within a day: older ones are not expected back. */
export function listSilentWorkers(sql: Sql, seconds: number): Promise<(WorkerRow & { silent_s: number })[]> {
  return sql.query(
    `SELECT *, floor(extract(epoch FROM now() - seen_at))::int AS silent_s FROM workers
     WHERE seen_at < now() - $1::int * interval '1 second' AND seen_at > now() - interval '1 day' ORDER BY id LIMIT 1000`,
    [seconds],
  );
}
