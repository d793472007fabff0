import type { App } from '../app.ts';
import { deleteOldPageCounts } from '../db/access/page-counts.ts';
import {
  deleteExpiredLinks,
  deleteExpiredSessions,
  deleteOldIdempotencyKeys,
  deleteOldTaskErrors,
} from '../db/admin/clean-up.ts';
import { deleteOldEvents } from '../db/events/read-events.ts';
import { deleteOldDeliveries } from '../db/webhooks/webhook-deliveries.ts';

const BATCH = 10_000;

/**
 * Removes what is no longer usable: expired logins, links and idempotency keys, page counts, errors of attempts, events and
 * messages long past.
 */
export async function cleanUp({ database, settings }: Pick<App, 'database' | 'settings'>): Promise<void> {
  await deleteExpiredSessions(database);
  await deleteExpiredLinks(database);
  await deleteOldIdempotencyKeys(database);
  await deleteOldPageCounts(database);
  const { failedTasksD, eventsD, auditD } = settings.retention;
  while ((await deleteOldTaskErrors(database, failedTasksD, BATCH)) === BATCH);
  while ((await deleteOldEvents(database, eventsD, auditD, BATCH)) === BATCH);
  while ((await deleteOldDeliveries(database, eventsD, BATCH)) === BATCH);
}
