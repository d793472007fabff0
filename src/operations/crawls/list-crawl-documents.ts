import { z } from 'zod';
import type { App } from '../../app.ts';
import { listCrawlDocumentRows } from '../../db/crawls/crawl-documents.ts';
import type { Binding } from '../access/binding.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
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

/** A page of the crawl may have its document in another collection: `within` leaves those out. */
export async function listCrawlDocuments(
  app: App,
  crawlId: string,
  input: z.output<typeof ListQuery>,
  within?: Binding,
): Promise<ListPage<CrawlDocument>> {
  const before = decodeIdCursor(input.cursor);
  await getCrawl(app, crawlId);
  const rows = await listCrawlDocumentRows(app.database, crawlId, input.limit + 1, before, within);
  return toListPage(
    rows,
    input.limit,
    (row) => [row.task_id],
    (row) => row,
  );
}
