import type { Sql } from '../../ports/database.ts';

/** Which of these crawls write an event for each page: read where their rows are locked, so it may be turned on at any time. */
export async function findCrawlsWithPageEvents(sql: Sql, crawlIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ id: string }>('SELECT id FROM crawls WHERE id = ANY($1::uuid[]) AND page_events', [
    crawlIds,
  ]);
  return new Set(rows.map(({ id }) => id));
}
