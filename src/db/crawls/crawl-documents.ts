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

/** What a crawl brought in, in the order it was found, after `afterTask`. */
export function listCrawlDocumentRows(
  sql: Sql,
  crawlId: string,
  limit: number,
  afterTask: string | undefined,
): Promise<CrawlDocumentRow[]> {
  return sql.query(
    `SELECT t.id AS task_id, d.id AS document_id, d.url, d.title, d.content, d.language, d.content_type, t.depth, d.fetched_at
     FROM tasks t JOIN documents d ON d.url_hash = t.url_hash AND d.deleted_at IS NULL AND d.gone_at IS NULL
     WHERE t.crawl_id = $1 AND t.status = 'completed' AND t.visit = 0 AND ($3::uuid IS NULL OR t.id > $3) ORDER BY t.id LIMIT $2`,
    [crawlId, limit, afterTask ?? null],
  );
}
