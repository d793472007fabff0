import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listCrawlRows } from '../../db/crawls/crawls.ts';
import { decodeIdCursor, type ListPage, ListQuery, listPageOf, toListPage } from '../paging.ts';
import { Id } from '../schemas.ts';
import { Crawl, CrawlStatus, toCrawl } from './crawl.ts';

export const ListCrawlsInput = ListQuery.extend({
  status: CrawlStatus.optional(),
  source_id: Id.optional(),
  owner: Id.optional(),
});
export const CrawlPage = listPageOf(Crawl);

export async function listCrawls(app: App, input: z.output<typeof ListCrawlsInput>): Promise<ListPage<Crawl>> {
  const before = decodeIdCursor(input.cursor);
  const { status, source_id, owner } = input;
  const rows = await listCrawlRows(app.database, {
    ...(status === undefined ? {} : { status }),
    ...(source_id === undefined ? {} : { source_id }),
    ...(owner === undefined ? {} : { owner }),
    ...(before === undefined ? {} : { before }),
    limit: input.limit + 1,
  });
  return toListPage(rows, input.limit, (row) => [row.id], toCrawl);
}
