import type { Sql } from '../../ports/database.ts';
import type { CrawlRow } from '../crawls/crawls.ts';
import type { WebhookRow } from './webhooks.ts';

export type Subscriber = Pick<WebhookRow, 'id' | 'source_id' | 'crawl_id' | 'events' | 'filter'>;

/** The webhooks that are on for these crawls and sources, and those that hear of everything. */
export function listSubscribers(
  sql: Sql,
  crawlIds: readonly string[],
  sourceIds: readonly string[],
): Promise<Subscriber[]> {
  return sql.query(
    `SELECT id, source_id, crawl_id, events, filter FROM webhooks
     WHERE is_active AND (crawl_id = ANY($1::uuid[]) OR source_id = ANY($2::uuid[]) OR (source_id IS NULL AND crawl_id IS NULL))
     ORDER BY id`,
    [crawlIds, sourceIds],
  );
}

/** The crawls that messages are about. */
export function listCrawlsById(sql: Sql, ids: readonly string[]): Promise<CrawlRow[]> {
  return sql.query('SELECT * FROM crawls WHERE id = ANY($1::uuid[])', [ids]);
}

export function listSourcesById(
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; url: string; collection_id: string | null }[]> {
  return sql.query('SELECT id, url, collection_id FROM sources WHERE id = ANY($1::uuid[])', [ids]);
}

/** The collections of documents; those in none are left out. */
export function listDocumentCollections(
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; collection_id: string }[]> {
  return sql.query('SELECT id, collection_id FROM documents WHERE id = ANY($1::uuid[]) AND collection_id IS NOT NULL', [
    ids,
  ]);
}
