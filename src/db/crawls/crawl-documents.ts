import type { Listing, Sorts } from '../listing.ts';

export interface CrawlDocumentRow {
  task_id: string;
  document_id: string;
  url: string;
  title: string | null;
  content: string;
  language: string | null;
  content_type: string;
  depth: number;
  fetched_at: Date;
}

/** In the order they were found. */
export const CRAWL_DOCUMENT_SORTS = { found: { keys: [{ sql: 't.id', type: 'uuid' }], order: 'asc' } } satisfies Sorts;

/**
 * The documents of a crawl. A page that redirects counts for the document of the address it leads to; where that address is a
 * page of the crawl itself, it is listed there alone.
 */
export const listCrawlDocumentRows = (crawlId: string, within?: readonly string[]): Listing<CrawlDocumentRow> => ({
  columns: `t.id AS task_id, d.id AS document_id, d.url, d.title, d.content, d.language, d.content_type, t.depth, d.fetched_at`,
  from: `tasks t LEFT JOIN pages p ON p.url_hash = t.url_hash AND p.final_url IS NOT NULL
     JOIN documents d ON d.url_hash = coalesce(sha256(convert_to(p.final_url, 'UTF8')), t.url_hash)
       AND d.deleted_at IS NULL AND d.gone_at IS NULL`,
  filters: [
    ['t.crawl_id = ?', crawlId],
    [`t.status = 'completed' AND t.visit = 0`],
    ['d.collection_id = ANY (?::uuid[])', within],
    [
      `p.final_url IS NULL OR NOT EXISTS (
       SELECT 1 FROM tasks o WHERE o.crawl_id = t.crawl_id AND o.url_hash = d.url_hash AND o.visit = 0 AND o.status = 'completed')`,
    ],
  ],
});
