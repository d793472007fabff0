import type { App } from '../../app.ts';
import { findJobView, readJobVersion } from '../../db/jobs/job-views.ts';
import { found } from '../found.ts';
import type { Job } from './job.ts';

export async function getJob(app: App, id: string): Promise<Job> {
  return found(await findJobView(app.database, id), 'job', id);
}

/** Names the state of a job, for those who poll it; undefined: there is none. */
export const getJobVersion = (app: App, id: string): Promise<string | undefined> => readJobVersion(app.database, id);
