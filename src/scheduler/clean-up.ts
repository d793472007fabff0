import type { App } from '../app.ts';
import { deleteOldPageCounts } from '../db/access/page-counts.ts';
import {
  deleteExpiredLinks,
  deleteExpiredSessions,
  deleteOldIdempotencyKeys,
  deleteOldTaskErrors,
} from '../db/admin/clean-up.ts';
import { deleteOldAlerts } from '../db/alerts/alerts.ts';
import { deletePastSilences } from '../db/alerts/silences.ts';
import { deleteOldEvents } from '../db/events/read-events.ts';
import { deleteExpiredCaptures } from '../db/media/captures.ts';
import { deleteOldFigures } from '../db/stats/stats.ts';
import { deleteOldDeliveries } from '../db/webhooks/webhook-deliveries.ts';

const BATCH = 10_000;

/**
 * Removes what is no longer usable: expired logins, links, idempotency keys and captures; page counts, errors of attempts, events,
 * messages, figures and alerts long past. The bytes of captures stay: a blob may be shared, and its other references are not known here.
 */
export async function cleanUp({ database, settings }: Pick<App, 'database' | 'settings'>): Promise<void> {
  await deleteExpiredSessions(database);
  await deleteExpiredLinks(database);
  await deleteOldIdempotencyKeys(database);
  await deleteOldPageCounts(database);
  await deletePastSilences(database);
  const { failedTasksD, eventsD, auditD, statsD, statsHoursD, alertsD } = settings.retention;
  while ((await deleteOldTaskErrors(database, failedTasksD, BATCH)) === BATCH);
  while ((await deleteOldEvents(database, eventsD, auditD, BATCH)) === BATCH);
  while ((await deleteOldDeliveries(database, eventsD, BATCH)) === BATCH);
  while ((await deleteExpiredCaptures(database, BATCH)) === BATCH);
  while ((await deleteOldFigures(database, statsD, statsHoursD, BATCH)) === BATCH);
  while ((await deleteOldAlerts(database, alertsD, BATCH)) === BATCH);
}
