import type { App } from '../../app.ts';
import { releaseHold } from '../../db/crawls/crawls.ts';
import { crawlDelta, settleCrawls } from '../../db/crawls/settle-crawls.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import { cancelJobRow } from '../../db/jobs/control-jobs.ts';
import { findJobView } from '../../db/jobs/job-views.ts';
import { AppError } from '../../errors.ts';
import { found } from '../found.ts';
import type { Job } from './job.ts';

/** Kinds that keep a crawl from ending. */
const HOLDING = ['seed-sitemaps', 'import'];

/** Ends a job that waits or runs. A crawl that waits for it goes on without it. */
export async function cancelJob(app: App, id: string): Promise<Job> {
  const cancelled = await app.database.transaction(async (tx) => {
    const job = await cancelJobRow(tx, id);
    const crawlId = job?.payload.crawl_id;
    if (!HOLDING.includes(job?.kind ?? '') || typeof crawlId !== 'string') return job;
    await releaseHold(tx, crawlId);
    await settleCrawls(tx, [crawlDelta(crawlId)]);
    return job;
  });
  if (cancelled !== undefined) {
    await wakeReaders(app.pubsub);
    return cancelled;
  }
  const job = found(await findJobView(app.database, id), 'job', id);
  if (job.status !== 'cancelled')
    throw new AppError('STATE_CONFLICT', `this job is ${job.status}`, {
      hint: 'Only jobs that wait or run are cancelled.',
    });
  return job;
}
