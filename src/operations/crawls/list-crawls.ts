import type { z } from 'zod';
import type { App } from '../../app.ts';
import { CRAWL_SORTS, listCrawlRows } from '../../db/crawls/crawls.ts';
import { type ListPage, ListQuery, listPageOf, readList, sortBy } from '../paging.ts';
import { Id } from '../schemas.ts';
import { Crawl, CrawlStatus, toCrawl } from './crawl.ts';

export const ListCrawlsInput = ListQuery.extend({
  ...sortBy(CRAWL_SORTS),
  status: CrawlStatus.optional(),
  kind: Crawl.shape.kind.optional(),
  source_id: Id.optional(),
  owner: Id.optional(),
});
export const CrawlPage = listPageOf(Crawl);

export async function listCrawls(app: App, input: z.output<typeof ListCrawlsInput>): Promise<ListPage<Crawl>> {
  const { status, kind, source_id: sourceId, owner } = input;
  return readList(app.database, listCrawlRows({ status, kind, sourceId, owner }), CRAWL_SORTS, input, toCrawl);
}
