import type { App } from '../../app.ts';
import { type CrawlRow, getCrawlRow } from '../../db/crawls/crawls.ts';
import { crawlDelta, type Moved, settleCrawls, settleMoves, stepCrawl } from '../../db/crawls/settle-crawls.ts';
import { CRAWL_MOVES, type CrawlStatus, type CrawlStep } from '../../db/crawls/states.ts';
import { nameActor } from '../../db/events/name-actor.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import { cancelTasks, pauseTasks, restartTasks, resumeTasks } from '../../db/tasks/control-tasks.ts';
import { TASKS_OVER } from '../../db/tasks/states.ts';
import { AppError } from '../../errors.ts';
import { announceMoves } from '../../pipeline/frontier/announce.ts';
import type { Transaction } from '../../ports/database.ts';
import { type Crawl, toCrawl } from './crawl.ts';
import { requireQuotaAgain } from './require-quota.ts';

/**
 * Steps that were taken already change nothing and are no error; steps that do not fit the status are.
 *
 * The status changes first, by itself: from then on no page brings new tasks. Then the tasks move, and the counters with
 * them, in the order in which the store takes its locks (tasks, then the crawl), so that neither waits for the other.
 * A step that was cut off between the two is finished by taking it again.
 */
export async function controlCrawl(app: App, id: string, step: CrawlStep): Promise<Crawl> {
  const before = await getCrawlRow(app.database, id);
  if (before === undefined) throw new AppError('NOT_FOUND', `there is no crawl ${id}`);
  if (!isTaken(step, before.status) && !(await takeStep(app, before, step)))
    throw new AppError('STATE_CONFLICT', `a crawl that is ${before.status} cannot take the step ${step}`);
  const moves = await app.database.transaction(async (tx) => {
    await nameActor(tx);
    const moved = await moveTasks(tx, id, step);
    await settleMoves(tx, moved);
    // The last page may have come in before the status changed: without an open task the crawl is over.
    await settleCrawls(tx, [crawlDelta(id)]);
    return moved;
  });
  await announceMoves(app, moves);
  await wakeReaders(app.pubsub);
  return toCrawl((await getCrawlRow(app.database, id))!);
}

const takeStep = (app: App, before: CrawlRow, step: CrawlStep) =>
  app.database.transaction(async (tx) => {
    await nameActor(tx);
    if (step === 'restart') await requireQuotaAgain(app, tx, before);
    return stepCrawl(tx, before.id, step);
  });

function isTaken(step: CrawlStep, status: CrawlStatus): boolean {
  if (step === 'restart') return false;
  return status === CRAWL_MOVES[step].to[0] || (step === 'resume' && status === 'pending');
}

function moveTasks(tx: Transaction, crawlId: string, step: CrawlStep): Promise<Moved[]> {
  if (step === 'pause') return pauseTasks(tx, { crawlId });
  if (step === 'resume') return resumeTasks(tx, { crawlId });
  if (step === 'cancel') return cancelTasks(tx, { crawlId });
  return restartTasks(tx, { crawlId }, { statuses: [...TASKS_OVER, 'paused'], parseOnly: false });
}
