import type { App } from '../app.ts';
import { cancelTasks, pauseTasks, restartTasks, resumeTasks, setCrawlStatus } from '../db/control-tasks.ts';
import { getCrawlRow, notifyCrawls } from '../db/crawls.ts';
import { AppError } from '../errors.ts';
import { type Crawl, toCrawl } from './crawl.ts';
import { settleMoves } from './settle-moves.ts';
import { wakeFrontier } from './wake-frontier.ts';

type Step = 'pause' | 'resume' | 'cancel' | 'restart';

const FROM: Record<Step, readonly string[]> = {
  pause: ['pending', 'running'],
  resume: ['paused'],
  cancel: ['pending', 'running', 'paused'],
  restart: ['completed', 'failed', 'cancelled', 'paused', 'running', 'pending'],
};
const TO: Record<Step, string> = { pause: 'paused', resume: 'running', cancel: 'cancelled', restart: 'running' };

/** Steps that were taken already change nothing and are no error; steps that do not fit the status are. */
export async function controlCrawl(app: App, id: string, step: Step): Promise<Crawl> {
  const before = await getCrawlRow(app.database, id);
  if (before === undefined) throw new AppError('NOT_FOUND', `there is no crawl ${id}`);
  const already =
    step !== 'restart' && (before.status === TO[step] || (step === 'resume' && before.status === 'pending'));
  if (!already) {
    if (!FROM[step].includes(before.status))
      throw new AppError('STATE_CONFLICT', `a crawl that is ${before.status} cannot take the step ${step}`);
    await app.database.transaction(async (tx) => {
      await setCrawlStatus(tx, id, TO[step], FROM[step]);
      const selection = { crawlId: id };
      if (step === 'pause') await settleMoves(tx, await pauseTasks(tx, selection), 'paused');
      if (step === 'resume') await settleMoves(tx, await resumeTasks(tx, selection), 'pending');
      if (step === 'cancel') await settleMoves(tx, await cancelTasks(tx, selection), 'cancelled');
      if (step === 'restart') {
        const statuses = ['completed', 'failed', 'skipped', 'cancelled', 'paused'];
        await settleMoves(tx, await restartTasks(tx, selection, { statuses, parseOnly: false }), 'pending');
      }
    });
    await wakeFrontier(app, { crawlId: id });
    await notifyCrawls(app.database, [id]);
  }
  return toCrawl((await getCrawlRow(app.database, id))!);
}
