import { z } from 'zod';
import type { App } from '../../app.ts';
import { findPageView, listPageVersionRows } from '../../db/pages/page-views.ts';
import { found } from '../found.ts';
import { decodeCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import { Time } from '../schemas.ts';

export const PageVersion = z
  .object({
    version: z.number().int(),
    title: z.string().nullable(),
    content_hash: z.string(),
    content_length: z.number().int(),
    fetched_at: Time,
  })
  .meta({ id: 'PageVersion' });

export async function listPageVersions(
  app: App,
  pageId: string,
  input: z.output<typeof ListQuery>,
): Promise<ListPage<z.output<typeof PageVersion>>> {
  const [before] = decodeCursor(input.cursor, z.tuple([z.int32()])) ?? [];
  found(await findPageView(app.database, pageId), 'page', pageId);
  const rows = await listPageVersionRows(app.database, pageId, input.limit + 1, before);
  return toListPage(
    rows,
    input.limit,
    (row) => [row.version],
    (row) => row,
  );
}
