import { z } from 'zod';
import type { App } from '../../app.ts';
import { listJobViews } from '../../db/jobs/job-views.ts';
import { decodeIdCursor, type ListPage, ListQuery, toListPage } from '../paging.ts';
import { type Job, JobStatus } from './job.ts';

export const ListFailedJobsInput = ListQuery.extend({ kind: z.string().max(100).optional() });
export const ListJobsInput = ListFailedJobsInput.extend({ status: JobStatus.optional() });

export async function listJobs(app: App, input: z.output<typeof ListJobsInput>): Promise<ListPage<Job>> {
  const rows = await listJobViews(app.database, {
    limit: input.limit + 1,
    beforeId: decodeIdCursor(input.cursor),
    status: input.status,
    kind: input.kind,
  });
  return toListPage(
    rows,
    input.limit,
    (row) => [row.id],
    (row) => row,
  );
}
