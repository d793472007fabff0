import type { App } from '../app.ts';
import { deleteExpiredSessions, deleteOldIdempotencyKeys, deleteOldTaskErrors } from '../db/admin/clean-up.ts';

const BATCH = 10_000;

/** Removes what nobody can use any more: logins and request keys that ran out, errors of attempts long past. */
export async function cleanUp({ database, settings }: Pick<App, 'database' | 'settings'>): Promise<void> {
  await deleteExpiredSessions(database);
  await deleteOldIdempotencyKeys(database);
  const days = settings.retention.failedTasksD;
  while ((await deleteOldTaskErrors(database, days, BATCH)) === BATCH);
}
