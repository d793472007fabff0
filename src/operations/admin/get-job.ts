import type { App } from '../../app.ts';
import { findJobView } from '../../db/jobs/job-views.ts';
import { found } from '../found.ts';
import type { Job } from './job.ts';

export async function getJob(app: App, id: string): Promise<Job> {
  return found(await findJobView(app.database, id), 'job', id);
}
