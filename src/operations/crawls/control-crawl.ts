import type { App } from '../../app.ts';
import { getCrawlRow, notifyCrawls } from '../../db/crawls/crawls.ts';
import { nameActor } from '../../db/events/name-actor.ts';
import { crawlDelta, lockCrawls, updateCrawls } from '../../db/frontier/admit-tasks.ts';
import {
  cancelTasks,
  type Moved,
  pauseTasks,
  restartTasks,
  resumeTasks,
  setCrawlStatus,
} from '../../db/tasks/control-tasks.ts';
import { AppError } from '../../errors.ts';
import type { Transaction } from '../../ports/database.ts';
import { wakeFrontier } from '../frontier/wake-frontier.ts';
import { settleMoves } from '../tasks/settle-moves.ts';
import { type Crawl, toCrawl } from './crawl.ts';

type Step = 'pause' | 'resume' | 'cancel' | 'restart';

const FROM: Record<Step, readonly string[]> = {
  pause: ['pending', 'running'],
  resume: ['paused'],
  cancel: ['pending', 'running', 'paused'],
  restart: ['completed', 'failed', 'cancelled', 'paused', 'running', 'pending'],
};
const TO: Record<Step, string> = { pause: 'paused', resume: 'running', cancel: 'cancelled', restart: 'running' };
const RESTARTED = ['completed', 'failed', 'skipped', 'cancelled', 'paused'];

/**
 * Steps that were taken already change nothing and are no error; steps that do not fit the status are.
 *
 * The status changes first, by itself: from then on no page brings new tasks. Then the tasks move, and the counters with
 * them, in the order in which the store takes its locks (tasks, then the crawl), so that neither waits for the other.
 * A step that was cut off between the two is finished by taking it again.
 */
export async function controlCrawl(app: App, id: string, step: Step): Promise<Crawl> {
  const before = await getCrawlRow(app.database, id);
  if (before === undefined) throw new AppError('NOT_FOUND', `there is no crawl ${id}`);
  const already =
    step !== 'restart' && (before.status === TO[step] || (step === 'resume' && before.status === 'pending'));
  if (!already) {
    if (!FROM[step].includes(before.status))
      throw new AppError('STATE_CONFLICT', `a crawl that is ${before.status} cannot take the step ${step}`);
    await app.database.transaction(async (tx) => {
      await nameActor(tx);
      await setCrawlStatus(tx, id, TO[step], FROM[step]);
    });
  }
  await app.database.transaction(async (tx) => {
    await nameActor(tx);
    await settleMoves(tx, await moveTasks(tx, id, step), TASKS_TO[step]);
    if (step === 'resume') await endIfDone(tx, id);
  });
  await wakeFrontier(app, { crawlId: id });
  await notifyCrawls(app.database, [id]);
  return toCrawl((await getCrawlRow(app.database, id))!);
}

const TASKS_TO: Record<Step, string> = {
  pause: 'paused',
  resume: 'pending',
  cancel: 'cancelled',
  restart: 'pending',
};

function moveTasks(tx: Transaction, crawlId: string, step: Step): Promise<Moved[]> {
  if (step === 'pause') return pauseTasks(tx, { crawlId });
  if (step === 'resume') return resumeTasks(tx, { crawlId });
  if (step === 'cancel') return cancelTasks(tx, { crawlId });
  return restartTasks(tx, { crawlId }, { statuses: RESTARTED, parseOnly: false });
}

/** The last page may have come in while the crawl was being paused. */
async function endIfDone(tx: Transaction, id: string): Promise<void> {
  await lockCrawls(tx, [id]);
  await updateCrawls(tx, [crawlDelta(id)]);
}
