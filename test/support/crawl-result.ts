import { createEmbeddedDatabase } from '../../src/drivers/database/embedded.ts';

export interface CrawlResult {
  status: string;
  /** Address, without its origin → how its task ended, with the code of what was not fetched. */
  tasks: Record<string, string>;
  /** Addresses of the documents that were kept, without their origin. */
  documents: string[];
  /** Everything of which there may be one only, and is not. Two pages of the demo site require a second visit. */
  twice: string[];
  counters: Record<string, number>;
}

/** What the first crawl of a data folder ended with, read from its database, beside whatever runs on it. */
export async function readCrawlResult(dataDir: string): Promise<CrawlResult> {
  await using database = await createEmbeddedDatabase({ dataDir, poolSize: 1 });
  const [crawl] = await database.query<{ id: string; status: string } & Record<string, number>>(
    `SELECT id, status, pages_discovered, pages_crawled, pages_failed, pages_skipped FROM crawls ORDER BY created_at LIMIT 1`,
  );
  const { id, status, ...counters } = crawl!;
  const tasks = await database.query<{ path: string; ended: string }>(
    `SELECT regexp_replace(url, '^https?://[^/]+', '') AS path, concat_ws(' ', status, code) AS ended
     FROM tasks WHERE crawl_id = $1 ORDER BY 1`,
    [id],
  );
  const documents = await database.query<{ path: string }>(
    `SELECT regexp_replace(url, '^https?://[^/]+', '') AS path FROM documents WHERE deleted_at IS NULL ORDER BY 1`,
  );
  const twice = await database.query<{ what: string }>(
    `SELECT 'page ' || min(url) AS what FROM pages GROUP BY url_hash HAVING count(*) > 1
     UNION ALL SELECT 'task ' || min(url) FROM tasks WHERE crawl_id = $1 GROUP BY url_hash HAVING count(*) > 1
     UNION ALL SELECT 'document ' || url FROM documents WHERE version > 1
     UNION ALL SELECT 'visit ' || url FROM pages WHERE visits > 1 AND url ~ '^http://127' AND url !~ '/(busy|flaky)$'
     UNION ALL SELECT 'chunk ' || min(document_id::text) FROM chunks GROUP BY document_id, chunk_index HAVING count(*) > 1`,
    [id],
  );
  return {
    status,
    counters,
    tasks: Object.fromEntries(tasks.map(({ path, ended }) => [path, ended])),
    documents: documents.map(({ path }) => path),
    twice: twice.map(({ what }) => what),
  };
}
