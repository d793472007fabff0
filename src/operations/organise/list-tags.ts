import { z } from 'zod';
import type { App } from '../../app.ts';
import { listTagRows } from '../../db/organise/tags.ts';
import { decodeCursor, type Page, type PageQuery, toPage } from '../paging.ts';
import type { Tag } from './tag.ts';

export async function listTags(app: App, input: z.output<typeof PageQuery>): Promise<Page<Tag>> {
  const [after] = decodeCursor(input.cursor, z.tuple([z.string()])) ?? [];
  const rows = await listTagRows(app.database, input.limit + 1, after);
  return toPage(
    rows,
    input.limit,
    (row) => [row.name],
    (row) => row,
  );
}
