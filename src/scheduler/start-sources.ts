import type { App } from '../app.ts';
import { appendEvents } from '../db/events/append-events.ts';
import { listDueSources, missRun, noteWaitingSources } from '../db/sources/source-runs.ts';
import { toAppError } from '../errors.ts';
import { nextRun } from '../operations/sources/source.ts';
import { startSource } from '../operations/sources/start-source.ts';

const BATCH = 100;

/**
 * Starts the sources whose time has come. However many runs were missed, only one is started: the next is counted
 * from now. A source that is due while its last crawl goes on waits, and starts when that has ended.
 */
export async function startDueSources(app: App): Promise<number> {
  for (const { id, name } of await noteWaitingSources(app.database)) app.log.info('source_waits', { source: id, name });
  let started = 0;
  for (const row of await listDueSources(app.database, BATCH)) {
    const due = row.next_run_at;
    // A clock that is behind the database's must not find the same time again.
    const after = new Date(Math.max(Date.now(), due.getTime()));
    let next: Date | null = null;
    try {
      next = row.schedule_cron === null ? null : nextRun(row.schedule_cron, row.time_zone, after);
      // In the name of who added it, so that their quotas hold; without one it is the installation's own.
      const createdBy = row.created_by === 'system' ? 'schedule' : row.created_by;
      const crawl = await startSource(app, row, { createdBy, userId: row.user_id, schedule: { due, next } });
      app.log.info('source_started', { source: row.id, crawl: crawl.id });
      started++;
    } catch (thrown) {
      const error = toAppError(thrown);
      // A run that does not fit into the quotas of its owner is missed, with its reason; the next one is tried.
      if (error.retryable && error.code !== 'QUOTA_EXCEEDED') throw error;
      if (error.code === 'STATE_CONFLICT') continue;
      await app.database.transaction(async (tx) => {
        const reason = `${error.code}: ${error.message}`;
        const data = { source_id: row.id, crawl_id: null, scheduled: true, error: reason };
        if (await missRun(tx, row.id, due, next, reason))
          await appendEvents(tx, [{ kind: 'source.run', subject: row.id, data }]);
      });
      app.log.warn('source_not_started', { source: row.id, code: error.code, error: error.message });
    }
  }
  return started;
}
