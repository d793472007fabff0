import { z } from 'zod';
import type { App } from '../../app.ts';
import { CRAWL_SORTS, listCrawlRows } from '../../db/crawls/crawls.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import { type ListPage, ListQuery, listPageOf, readList, sortBy } from '../paging.ts';
import { Id } from '../schemas.ts';
import { Crawl, CrawlStatus, toCrawl } from './crawl.ts';

export const ListCrawlsInput = ListQuery.extend({
  ...sortBy(CRAWL_SORTS),
  status: CrawlStatus.optional(),
  kind: Crawl.shape.kind.optional(),
  source_id: Id.optional(),
  owner: z
    .union([z.literal('me'), Id])
    .optional()
    .describe('Who started them: a person (their keys count), a key, or me.'),
});
export const CrawlPage = listPageOf(Crawl);

export async function listCrawls(
  app: App,
  input: z.output<typeof ListCrawlsInput>,
  caller: Caller,
): Promise<ListPage<Crawl>> {
  const { status, kind, source_id: sourceId } = input;
  const owner = input.owner === 'me' ? ownerOf(caller) : input.owner;
  const listing = listCrawlRows({ status, kind, sourceId, owner, within: caller.collections });
  return readList(app.database, listing, CRAWL_SORTS, input, toCrawl);
}
