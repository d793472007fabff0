import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listSourceRows } from '../../db/sources/sources.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import { type Source, toSource } from './source.ts';

export async function listSources(app: App, input: z.output<typeof ListQuery>): Promise<ListPage<Source>> {
  const rows = await listSourceRows(app.database, input.limit + 1, decodeIdCursor(input.cursor));
  return toListPage(rows, input.limit, (row) => [row.id], toSource);
}
