import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listCollectionRows } from '../../db/organise/collections.ts';
import { decodeIdCursor, type Page, type PageQuery, toPage } from '../paging.ts';
import type { Collection } from './collection.ts';

export async function listCollections(app: App, input: z.output<typeof PageQuery>): Promise<Page<Collection>> {
  const rows = await listCollectionRows(app.database, input.limit + 1, decodeIdCursor(input.cursor));
  return toPage(
    rows,
    input.limit,
    (row) => [row.id],
    (row) => row,
  );
}
