import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import type { CrawlRow } from './crawls.ts';

/** Takes crawls whose end was not told yet. The mark goes with the transaction that writes the messages, or stays. */
export function takeCrawlEnds(sql: Sql, limit: number): Promise<CrawlRow[]> {
  return sql.query(
    `WITH ended AS (SELECT id FROM crawls WHERE tell_end ORDER BY completed_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     UPDATE crawls c SET tell_end = false FROM ended WHERE c.id = ended.id RETURNING c.*`,
    [limit],
  );
}

/** The webhook a crawl was asked for with becomes a row, so that its messages are listed like all others. */
export async function ensureCrawlWebhooks(sql: Sql, rows: readonly { id: string; crawl_id: string }[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO webhooks (id, crawl_id, url, headers, events)
     SELECT x.id, c.id, c.webhook_url, c.webhook_headers, '{completed,failed,cancelled}'
     FROM json_to_recordset($1::json) AS x (id uuid, crawl_id uuid) JOIN crawls c ON c.id = x.crawl_id
     WHERE c.webhook_url IS NOT NULL
     ON CONFLICT (crawl_id) DO NOTHING`,
    [toJson(rows)],
  );
}

/** Who wants to know: the webhook of the crawl, and those of its source. */
export function listListeners(
  sql: Sql,
  crawlIds: readonly string[],
): Promise<{ webhook_id: string; crawl_id: string }[]> {
  return sql.query(
    `SELECT w.id AS webhook_id, c.id AS crawl_id FROM crawls c
     JOIN webhooks w ON (w.crawl_id = c.id OR w.source_id = c.source_id) AND w.is_active AND c.status = ANY(w.events)
     WHERE c.id = ANY($1::uuid[])`,
    [crawlIds],
  );
}
