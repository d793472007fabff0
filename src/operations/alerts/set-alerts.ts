import { type AlertRow, type NewAlert, resolveAlerts, upsertAlerts } from '../../db/alerts/alerts.ts';
import type { NewEvent } from '../../db/events/append-events.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { newId } from '../../ids.ts';
import type { Transaction } from '../../ports/database.ts';

type AlertEvent = 'alert.raised' | 'alert.cleared' | 'alert.acknowledged';

/** What is written to the log about an alert; its subject there is the id of the alert. */
export const toAlertEvent = (kind: AlertEvent, { id, kind: alert, severity, message }: AlertRow): NewEvent => ({
  kind,
  subject: id,
  data: { alert, severity, message },
});

/**
 * Raises alerts, in the transaction of the caller. One that stands already (same kind and subject) only gets its new value,
 * and one that is silenced is not raised; both write no event. Returns those that are new.
 */
export async function raiseAlerts(tx: Transaction, alerts: readonly Omit<NewAlert, 'id'>[]): Promise<AlertRow[]> {
  if (alerts.length === 0) return [];
  const rows = await upsertAlerts(
    tx,
    alerts.map((alert) => ({ ...alert, id: newId() })),
  );
  const raised = rows.filter((row) => row.raised);
  await appendEvents(
    tx,
    raised.map((row) => toAlertEvent('alert.raised', row)),
  );
  return raised;
}

/** Ends the alerts of a kind whose subject is not among those that still hold. Returns those that ended. */
export async function clearAlerts(tx: Transaction, kind: string, standing: readonly string[]): Promise<AlertRow[]> {
  const cleared = await resolveAlerts(tx, kind, standing);
  await appendEvents(
    tx,
    cleared.map((row) => toAlertEvent('alert.cleared', row)),
  );
  return cleared;
}
