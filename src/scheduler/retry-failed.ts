import type { App } from '../app.ts';
import { notifyCrawls } from '../db/crawls/crawls.ts';
import { lockCrawls } from '../db/frontier/admit-tasks.ts';
import { listDeadLetterCrawls, retireTasks, reviveTasks } from '../db/tasks/dead-letters.ts';
import { settleMoves } from '../operations/tasks/settle-moves.ts';
import { wakeDomains } from '../pipeline/frontier/wake-domains.ts';

const BATCH = 1_000;
const OPEN = ['pending', 'running'];
const OVER = ['completed', 'failed'];

/**
 * The dead-letter list, tried again by itself: tasks that failed for a reason that may pass go back after ever longer
 * times, as often as there are delays in the settings. A crawl that has ended stays ended unless the settings say
 * otherwise, and a cancelled one always does.
 */
export async function retryFailed(app: App): Promise<number> {
  const due = await listDeadLetterCrawls(app.database, BATCH);
  if (due.length === 0) return 0;
  const { moved, total } = await app.database.transaction(async (tx) => {
    const crawls = await lockCrawls(
      tx,
      due.map(({ crawl_id }) => crawl_id),
    );
    const wanted = app.settings.job.deadLetterReopens ? [...OPEN, ...OVER] : OPEN;
    const idsOf = (those: (status: string) => boolean) =>
      crawls.filter(({ status }) => those(status)).map(({ id }) => id);
    await retireTasks(
      tx,
      idsOf((status) => status !== 'paused' && !wanted.includes(status)),
    );
    const moved = await reviveTasks(
      tx,
      idsOf((status) => wanted.includes(status)),
      BATCH,
    );
    return { moved, total: await settleMoves(tx, moved, 'pending') };
  });
  await wakeDomains(app, moved);
  await notifyCrawls(app.database, [...new Set(moved.map(({ crawl_id }) => crawl_id))]);
  return total;
}
