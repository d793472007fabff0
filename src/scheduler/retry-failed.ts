import type { App } from '../app.ts';
import { settleMoves } from '../db/crawls/settle-crawls.ts';
import type { CrawlStatus } from '../db/crawls/states.ts';
import { lockCrawls } from '../db/frontier/admit-tasks.ts';
import { listDeadLetterCrawls, retireTasks, reviveTasks } from '../db/tasks/dead-letters.ts';
import { announceMoves } from '../pipeline/frontier/announce.ts';

const BATCH = 1_000;
const OPEN: readonly CrawlStatus[] = ['pending', 'running'];
const OVER: readonly CrawlStatus[] = ['completed', 'failed'];

/**
 * Retries the dead-letter list: tasks that failed for a temporary reason go back after growing
 * delays, as often as there are delays in the settings. A crawl that has ended stays ended unless the settings say
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
    const idsOf = (those: (status: CrawlStatus) => boolean) =>
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
    return { moved, total: await settleMoves(tx, moved) };
  });
  await announceMoves(app, moved);
  return total;
}
