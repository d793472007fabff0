import type { App } from '../app.ts';
import { deleteExpiredSessions, deleteOldIdempotencyKeys, deleteOldTaskErrors } from '../db/admin/clean-up.ts';
import { deleteOldEvents } from '../db/events/read-events.ts';
import { deleteOldDeliveries } from '../db/webhooks/webhook-deliveries.ts';

const BATCH = 10_000;

/** Removes what is no longer usable: expired logins and idempotency keys, errors of attempts, events and messages long past. */
export async function cleanUp({ database, settings }: Pick<App, 'database' | 'settings'>): Promise<void> {
  await deleteExpiredSessions(database);
  await deleteOldIdempotencyKeys(database);
  const { failedTasksD, eventsD, auditD } = settings.retention;
  while ((await deleteOldTaskErrors(database, failedTasksD, BATCH)) === BATCH);
  while ((await deleteOldEvents(database, eventsD, auditD, BATCH)) === BATCH);
  while ((await deleteOldDeliveries(database, eventsD, BATCH)) === BATCH);
}
