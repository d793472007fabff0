import { z } from 'zod';
import type { App } from '../../app.ts';
import { findPageView, listPageVersionRows, VERSION_SORTS } from '../../db/pages/page-views.ts';
import { found } from '../found.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
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

export const ListVersionsInput = ListQuery.extend(sortBy(VERSION_SORTS));

export async function listPageVersions(
  app: App,
  pageId: string,
  input: z.output<typeof ListVersionsInput>,
): Promise<ListPage<z.output<typeof PageVersion>>> {
  const page = await readList(app.database, listPageVersionRows(pageId), VERSION_SORTS, input, (row) => row);
  if (page.items.length === 0) found(await findPageView(app.database, pageId), 'page', pageId);
  return page;
}
