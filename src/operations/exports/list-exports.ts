import type { z } from 'zod';
import type { App } from '../../app.ts';
import { JOB_SORTS, listJobViews } from '../../db/jobs/job-views.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { EXPORT_JOB, type Export, toExport } from './export.ts';

export const ListExportsInput = ListQuery.extend(sortBy(JOB_SORTS));

export async function listExports(app: App, input: z.output<typeof ListExportsInput>): Promise<ListPage<Export>> {
  const listing = listJobViews({ status: undefined, kind: EXPORT_JOB });
  const page = await readList(app.database, listing, JOB_SORTS, input, (row) => row);
  return { ...page, items: await Promise.all(page.items.map((job) => toExport(app, job))) };
}
