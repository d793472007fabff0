import type { App } from '../app.ts';
import { deleteWorkers } from '../db/admin/workers.ts';
import { notifyCrawls } from '../db/crawls/crawls.ts';
import { crawlDelta, lockCrawls, updateCrawls } from '../db/frontier/admit-tasks.ts';
import { promoteDue, sweepWaiting } from '../db/frontier/frontier.ts';
import { expireJobs, reapJobs } from '../db/jobs/jobs.ts';
import { expireOutbox } from '../db/search/outbox.ts';
import { expireLeases, reapTasks } from '../db/tasks/finish-tasks.ts';
import { findDeadWorkers } from '../operations/admin/membership.ts';
import { wakeDomains } from '../pipeline/frontier/wake-domains.ts';

const BATCH = 500;

/** Brings back what dead workers held, and mends the marks a crash left behind. Returns how many tasks came back. */
export async function recover(app: App): Promise<number> {
  const { database } = app;
  const dead = await findDeadWorkers(database);
  if (dead.length > 0) {
    await expireLeases(database, dead);
    await expireOutbox(database, dead);
    await expireJobs(database, dead);
    await deleteWorkers(database, dead);
  }
  let total = 0;
  for (let reaped = BATCH; reaped === BATCH; total += reaped) reaped = await reapBatch(app);
  await reapJobs(database);
  await sweepWaiting(database);
  return total;
}

/** Retries and planned visits whose time has come. */
export async function promote(app: App): Promise<void> {
  await wakeDomains(app, await promoteDue(app.database, 1_000));
}

async function reapBatch(app: App): Promise<number> {
  const { database } = app;
  const { tasks: reaped, crawls } = await database.transaction(async (tx) => {
    const tasks = await reapTasks(tx, BATCH);
    const failed = tasks.filter((task) => task.status === 'failed');
    const ids = [...new Set(failed.map((task) => task.crawl_id))];
    await lockCrawls(tx, ids);
    await updateCrawls(
      tx,
      ids.map((id) => crawlDelta(id, { failed: failed.filter((task) => task.crawl_id === id).length })),
    );
    return { tasks, crawls: ids };
  });
  await wakeDomains(app, reaped);
  await notifyCrawls(database, crawls);
  return reaped.length;
}
