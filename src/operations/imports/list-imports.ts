import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listImportRows } from '../../db/imports/imports.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import { type Import, toImport } from './import.ts';

export async function listImports(app: App, input: z.output<typeof ListQuery>): Promise<ListPage<Import>> {
  const rows = await listImportRows(app.database, decodeIdCursor(input.cursor), input.limit + 1);
  const page = toListPage(
    rows,
    input.limit,
    (row) => [row.crawl_id],
    (row) => row,
  );
  return { ...page, items: await Promise.all(page.items.map((row) => toImport(app, row))) };
}
