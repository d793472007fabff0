import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listCrawlRows } from '../../db/crawls/crawls.ts';
import { decodeIdCursor, type Page, PageQuery, pageOf, toPage } from '../paging.ts';
import { Id } from '../schemas.ts';
import { Crawl, CrawlStatus, toCrawl } from './crawl.ts';

export const ListCrawlsInput = PageQuery.extend({
  status: CrawlStatus.optional(),
  source_id: Id.optional(),
  owner: Id.optional(),
});
export const CrawlPage = pageOf(Crawl);

export async function listCrawls(app: App, input: z.output<typeof ListCrawlsInput>): Promise<Page<Crawl>> {
  const before = decodeIdCursor(input.cursor);
  const { status, source_id, owner } = input;
  const rows = await listCrawlRows(app.database, {
    ...(status === undefined ? {} : { status }),
    ...(source_id === undefined ? {} : { source_id }),
    ...(owner === undefined ? {} : { owner }),
    ...(before === undefined ? {} : { before }),
    limit: input.limit + 1,
  });
  return toPage(rows, input.limit, (row) => [row.id], toCrawl);
}
