import { z } from 'zod';
import type { App } from '../../app.ts';
import { listCrawlRows } from '../../db/crawls/crawls.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import { decodeIdCursor, type ListPage, ListQuery, listPageOf, toListPage } from '../paging.ts';
import { Id } from '../schemas.ts';
import { Crawl, CrawlStatus, toCrawl } from './crawl.ts';

export const ListCrawlsInput = ListQuery.extend({
  status: CrawlStatus.optional(),
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
  const before = decodeIdCursor(input.cursor);
  const { status, source_id } = input;
  const owner = input.owner === 'me' ? ownerOf(caller) : input.owner;
  const limit = input.limit + 1;
  const within = caller.collections;
  const rows = await listCrawlRows(app.database, { status, source_id, owner, before, within, limit });
  return toListPage(rows, input.limit, (row) => [row.id], toCrawl);
}
