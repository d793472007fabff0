import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { App } from '../../app.ts';
import { deleteWorkers, listWorkersOn, upsertWorker } from '../../db/admin/workers.ts';
import { toAppError } from '../../errors.ts';
import type { Sql } from '../../ports/database.ts';
import { birthOf } from '../../process-name.ts';

export interface Membership extends AsyncDisposable {
  readonly id: string;
}

/** Announces this process in the table of workers and renews its heartbeat until it is disposed of. */
export async function joinWorkers(
  app: App,
  role: string,
  state: () => Record<string, unknown> = () => ({}),
): Promise<Membership> {
  const id = `${role}-${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const born = birthOf(process.pid);
  const tell = () =>
    upsertWorker(app.database, {
      id,
      role,
      host: hostname(),
      pid: process.pid,
      version: app.version,
      state: { ...state(), born },
    });
  await tell();
  const timer = setInterval(
    () => void tell().catch((error: unknown) => app.log.warn('heartbeat_failed', { error: toAppError(error).message })),
    app.settings.worker.heartbeatS * 1_000,
  );
  return {
    id,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await deleteWorkers(app.database, [id]).catch(() => {});
    },
  };
}

/** Workers of this machine whose process is gone: their leases need not expire first. */
export async function findDeadWorkers(sql: Sql): Promise<string[]> {
  const rows = await listWorkersOn(sql, hostname());
  return rows.filter((row) => birthOf(row.pid) !== row.state.born).map((row) => row.id);
}
