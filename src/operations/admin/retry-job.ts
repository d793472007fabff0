import type { App } from '../../app.ts';
import { retryJobRow } from '../../db/jobs/control-jobs.ts';
import { findJobView } from '../../db/jobs/job-views.ts';
import { orConflict } from '../../db/unique.ts';
import { AppError } from '../../errors.ts';
import { found } from '../found.ts';
import type { Job } from './job.ts';

/** Starts a failed job over, with all its attempts. One that waits or runs already is left as it is. */
export async function retryJob(app: App, id: string): Promise<Job> {
  const retried = await orConflict(retryJobRow(app.database, id), 'the same work is planned already');
  if (retried !== undefined) return retried;
  const job = found(await findJobView(app.database, id), 'job', id);
  if (job.status === 'completed')
    throw new AppError('STATE_CONFLICT', 'this job is done', { hint: 'Only failed or cancelled jobs start over.' });
  return job;
}
