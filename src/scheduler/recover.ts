import type { App } from '../app.ts';
import { deleteWorkers } from '../db/admin/workers.ts';
import { crawlDelta, settleCrawls, settleMoves } from '../db/crawls/settle-crawls.ts';
import { sweepWaiting } from '../db/frontier/frontier.ts';
import { expirePlaces, listPlaceHolders } from '../db/frontier/places.ts';
import { promoteDue, promoteVisits } from '../db/frontier/promote.ts';
import { expireJobs, reapJobs } from '../db/jobs/jobs.ts';
import { expireOutbox } from '../db/search/outbox.ts';
import { expireLeases, reapTasks } from '../db/tasks/finish-tasks.ts';
import { findDeadWorkers } from '../operations/admin/membership.ts';
import { announceChanges } from '../pipeline/frontier/announce.ts';
import { isGone } from '../process-name.ts';

const BATCH = 500;

/** Requeues what dead workers held, and repairs state that a crash left inconsistent. Returns how many tasks were requeued. */
export async function recover(app: App): Promise<number> {
  const { database } = app;
  const dead = await findDeadWorkers(database);
  const holders = (await listPlaceHolders(database)).filter(isGone);
  if (dead.length + holders.length > 0) await expirePlaces(database, [...dead, ...holders]);
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

/** Retries and planned visits whose time has come; a visit opens its crawl again. */
export async function promote(app: App): Promise<void> {
  const { database } = app;
  const due = await promoteDue(database, 1_000);
  const visits = await database.transaction(async (tx) => {
    const moved = await promoteVisits(tx, 1_000);
    await settleMoves(tx, moved);
    return moved;
  });
  const waiting = [...due, ...visits];
  if (waiting.length > 0) await announceChanges(app, { waiting, crawls: visits.map(({ crawl_id }) => crawl_id) });
}

async function reapBatch(app: App): Promise<number> {
  const { waiting, crawls } = await app.database.transaction(async (tx) => {
    const tasks = await reapTasks(tx, BATCH);
    const failed = tasks.filter((task) => task.status === 'failed');
    const ids = [...new Set(failed.map((task) => task.crawl_id))];
    await settleCrawls(
      tx,
      ids.map((id) => crawlDelta(id, { failed: failed.filter((task) => task.crawl_id === id).length })),
    );
    return { waiting: tasks, crawls: ids };
  });
  if (waiting.length > 0) await announceChanges(app, { waiting, crawls });
  return waiting.length;
}
