import type { App } from '../app.ts';
import { listSilentWorkers } from '../db/admin/workers.ts';
import { wakeReaders } from '../db/events/wake-readers.ts';
import { clearAlerts, raiseAlerts } from '../operations/alerts/set-alerts.ts';

/**
 * Raises and clears the alerts of every rule. So far there is one: a process that stopped without a word. It ends when the
 * process is heard of again, or its row is gone.
 */
export async function checkAlerts(app: Pick<App, 'database' | 'pubsub' | 'settings'>): Promise<number> {
  const { workerSilentS } = app.settings.alerts;
  const changed = await app.database.transaction(async (tx) => {
    const silent = await listSilentWorkers(tx, workerSilentS);
    const raised = await raiseAlerts(
      tx,
      silent.map(({ id, role, host, pid, seen_at, silent_s }) => ({
        kind: 'worker_silent',
        subject: id,
        severity: 'warning',
        message: `the ${role} process ${pid} on ${host} was not heard of since ${seen_at.toISOString()}`,
        value: silent_s,
        threshold: workerSilentS,
      })),
    );
    const cleared = await clearAlerts(
      tx,
      'worker_silent',
      silent.map(({ id }) => id),
    );
    return raised.length + cleared.length;
  });
  if (changed > 0) await wakeReaders(app.pubsub);
  return changed;
}
