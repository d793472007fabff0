import { z } from 'zod';
import type { App } from '../../app.ts';
import { CRAWL_DOCUMENT_SORTS, listCrawlDocumentRows } from '../../db/crawls/crawl-documents.ts';
import type { Binding } from '../access/binding.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { Id, Time } from '../schemas.ts';
import { getCrawl } from './get-crawl.ts';

/** What a crawl brought in: the content itself, as Markdown. */
export const CrawlDocument = z
  .object({
    task_id: Id,
    document_id: Id,
    url: z.string(),
    title: z.string().nullable(),
    content: z.string(),
    language: z.string().nullable(),
    content_type: z.string(),
    depth: z.number().int(),
    fetched_at: Time,
  })
  .meta({ id: 'CrawlDocument' });
export type CrawlDocument = z.output<typeof CrawlDocument>;

export const ListCrawlDocumentsInput = ListQuery.extend(sortBy(CRAWL_DOCUMENT_SORTS));

/** A page of the crawl may have its document in another collection: `within` leaves those out. */
export async function listCrawlDocuments(
  app: App,
  crawlId: string,
  input: z.output<typeof ListCrawlDocumentsInput>,
  within?: Binding,
): Promise<ListPage<CrawlDocument>> {
  const listing = listCrawlDocumentRows(crawlId, within);
  const page = await readList(app.database, listing, CRAWL_DOCUMENT_SORTS, input, (row) => row);
  if (page.items.length === 0) await getCrawl(app, crawlId);
  return page;
}
