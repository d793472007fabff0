import type { App } from '../../app.ts';
import { acknowledgeAlertRow } from '../../db/alerts/alerts.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import { AppError } from '../../errors.ts';
import type { Alert } from './alert.ts';
import { getAlert } from './read-alerts.ts';
import { toAlertEvent } from './set-alerts.ts';

/** Notes that a user looks after an alert. A second time changes nothing. */
export async function acknowledgeAlert(app: App, id: string, by: string): Promise<Alert> {
  const acknowledged = await app.database.transaction(async (tx) => {
    const row = await acknowledgeAlertRow(tx, id, by);
    if (row !== undefined) await appendEvents(tx, [toAlertEvent('alert.acknowledged', row)]);
    return row;
  });
  if (acknowledged !== undefined) {
    await wakeReaders(app.pubsub);
    return acknowledged;
  }
  const alert = await getAlert(app, id);
  if (alert.status === 'resolved')
    throw new AppError('STATE_CONFLICT', 'this alert is over', { hint: 'Only alerts that stand are acknowledged.' });
  return alert;
}
