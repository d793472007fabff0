import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listJobViews } from '../../db/jobs/job-views.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import { EXPORT_JOB, type Export, toExport } from './export.ts';

export async function listExports(app: App, input: z.output<typeof ListQuery>): Promise<ListPage<Export>> {
  const rows = await listJobViews(app.database, {
    limit: input.limit + 1,
    beforeId: decodeIdCursor(input.cursor),
    status: undefined,
    kind: EXPORT_JOB,
  });
  const page = toListPage(
    rows,
    input.limit,
    (row) => [row.id],
    (row) => row,
  );
  return { ...page, items: await Promise.all(page.items.map((job) => toExport(app, job))) };
}
