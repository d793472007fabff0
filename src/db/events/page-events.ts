import type { Sql } from '../../ports/database.ts';

/**
 * Which of these crawls write an event for each page: those that were started so, and those a webhook wants pages of. Read
 * where their rows are locked, so it may be turned on at any time. Three looks into small indexes a batch of pages.
 */
export async function findCrawlsWithPageEvents(sql: Sql, crawlIds: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = `w.is_active AND 'crawl.page' = ANY(w.events)
      AND (w.filter -> 'source_ids' IS NULL OR w.filter -> 'source_ids' ? c.source_id::text)
      AND (w.filter -> 'collection_ids' IS NULL OR w.filter -> 'collection_ids' ? c.collection_id::text)`;
  const rows = await sql.query<{ id: string }>(
    `SELECT c.id FROM crawls c WHERE c.id = ANY($1::uuid[]) AND (c.page_events
       OR EXISTS (SELECT 1 FROM webhooks w WHERE w.crawl_id = c.id AND ${wanted})
       OR EXISTS (SELECT 1 FROM webhooks w WHERE w.source_id = c.source_id AND ${wanted})
       OR EXISTS (SELECT 1 FROM webhooks w WHERE w.source_id IS NULL AND w.crawl_id IS NULL AND ${wanted}))`,
    [crawlIds],
  );
  return new Set(rows.map(({ id }) => id));
}
