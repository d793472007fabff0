import type { z } from 'zod';
import type { App } from '../../app.ts';
import { IMPORT_SORTS, listImportRows } from '../../db/imports/imports.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { type Import, toImport } from './import.ts';

export const ListImportsInput = ListQuery.extend(sortBy(IMPORT_SORTS));

export async function listImports(app: App, input: z.output<typeof ListImportsInput>): Promise<ListPage<Import>> {
  const page = await readList(app.database, listImportRows(), IMPORT_SORTS, input, (row) => row);
  return { ...page, items: await Promise.all(page.items.map((row) => toImport(app, row))) };
}
