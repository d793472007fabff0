import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listCollectionRows } from '../../db/organise/collections.ts';
import type { Binding } from '../access/binding.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import type { Collection } from './collection.ts';

export async function listCollections(
  app: App,
  input: z.output<typeof ListQuery>,
  within?: Binding,
): Promise<ListPage<Collection>> {
  const rows = await listCollectionRows(app.database, input.limit + 1, decodeIdCursor(input.cursor), within);
  return toListPage(
    rows,
    input.limit,
    (row) => [row.id],
    (row) => row,
  );
}
