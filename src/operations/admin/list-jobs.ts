import { z } from 'zod';
import type { App } from '../../app.ts';
import { JOB_SORTS, listJobViews } from '../../db/jobs/job-views.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { type Job, JobStatus } from './job.ts';

export const ListFailedJobsInput = ListQuery.extend({ ...sortBy(JOB_SORTS), kind: z.string().max(100).optional() });
export const ListJobsInput = ListFailedJobsInput.extend({ status: JobStatus.optional() });

export async function listJobs(app: App, input: z.output<typeof ListJobsInput>): Promise<ListPage<Job>> {
  const listing = listJobViews({ status: input.status, kind: input.kind });
  return readList(app.database, listing, JOB_SORTS, input, (row) => row);
}
