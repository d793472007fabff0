import type { Sql } from '../../ports/database.ts';

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

/**
 * The documents of a crawl, in the order they were found, after `afterTask`. A page that redirects counts for the document of the
 * address it leads to; where that address is a page of the crawl itself, it is listed there alone.
 */
export function listCrawlDocumentRows(
  sql: Sql,
  crawlId: string,
  limit: number,
  afterTask: string | undefined,
  within?: readonly string[],
): Promise<CrawlDocumentRow[]> {
  return sql.query(
    `SELECT t.id AS task_id, d.id AS document_id, d.url, d.title, d.content, d.language, d.content_type, t.depth, d.fetched_at
     FROM tasks t LEFT JOIN pages p ON p.url_hash = t.url_hash AND p.final_url IS NOT NULL
     JOIN documents d ON d.url_hash = coalesce(sha256(convert_to(p.final_url, 'UTF8')), t.url_hash)
       AND d.deleted_at IS NULL AND d.gone_at IS NULL AND ($4::uuid[] IS NULL OR d.collection_id = ANY ($4))
     WHERE t.crawl_id = $1 AND t.status = 'completed' AND t.visit = 0 AND ($3::uuid IS NULL OR t.id > $3)
       AND (p.final_url IS NULL OR NOT EXISTS (
         SELECT 1 FROM tasks o WHERE o.crawl_id = t.crawl_id AND o.url_hash = d.url_hash AND o.visit = 0 AND o.status = 'completed'))
     ORDER BY t.id LIMIT $2`,
    [crawlId, limit, afterTask ?? null, within ?? null],
  );
}
