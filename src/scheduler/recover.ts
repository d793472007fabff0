import { deleteWorkers } from '../db/admin/workers.ts';
import { notifyCrawls } from '../db/crawls/crawls.ts';
import { crawlDelta, lockCrawls, updateCrawls } from '../db/frontier/admit-tasks.ts';
import { markWaiting, promoteDue, sweepWaiting } from '../db/frontier/frontier.ts';
import { expireJobs, reapJobs } from '../db/jobs/jobs.ts';
import { expireOutbox } from '../db/search/outbox.ts';
import { expireLeases, reapTasks } from '../db/tasks/finish-tasks.ts';
import { findDeadWorkers } from '../operations/admin/membership.ts';
import type { Database } from '../ports/database.ts';

const BATCH = 500;

/** Brings back what dead workers held, and mends the marks a crash left behind. Returns how many tasks came back. */
export async function recover(database: Database): Promise<number> {
  const dead = await findDeadWorkers(database);
  if (dead.length > 0) {
    await expireLeases(database, dead);
    await expireOutbox(database, dead);
    await expireJobs(database, dead);
    await deleteWorkers(database, dead);
  }
  let total = 0;
  for (let reaped = BATCH; reaped === BATCH; total += reaped) reaped = await reapBatch(database);
  await reapJobs(database);
  await sweepWaiting(database);
  return total;
}

/** Retries and planned visits whose time has come. */
export async function promote(database: Database): Promise<void> {
  const due = await promoteDue(database, 1_000);
  await markWaiting(database, [...new Set(due.map((row) => row.domain_id))]);
}

async function reapBatch(database: Database): Promise<number> {
  const { reaped, domains, crawls } = await database.transaction(async (tx) => {
    const tasks = await reapTasks(tx, BATCH);
    const failed = tasks.filter((task) => task.status === 'failed');
    const ids = [...new Set(failed.map((task) => task.crawl_id))];
    await lockCrawls(tx, ids);
    await updateCrawls(
      tx,
      ids.map((id) => crawlDelta(id, { failed: failed.filter((task) => task.crawl_id === id).length })),
    );
    return { reaped: tasks.length, domains: [...new Set(tasks.map((task) => task.domain_id))], crawls: ids };
  });
  await markWaiting(database, domains);
  await notifyCrawls(database, crawls);
  return reaped;
}
