import { z } from 'zod';
import type { App } from '../../app.ts';
import { listTagRows } from '../../db/organise/tags.ts';
import { decodeCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import type { Tag } from './tag.ts';

export async function listTags(app: App, input: z.output<typeof ListQuery>): Promise<ListPage<Tag>> {
  const [after] = decodeCursor(input.cursor, z.tuple([z.string()])) ?? [];
  const rows = await listTagRows(app.database, input.limit + 1, after);
  return toListPage(
    rows,
    input.limit,
    (row) => [row.name],
    (row) => row,
  );
}
