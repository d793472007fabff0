import type { Sql } from '../../ports/database.ts';
import { CRAWL_ROWS, type CrawlRow } from '../crawls/crawls.ts';
import { toJson } from '../json.ts';

/** The crawls that webhooks report. */
export function listCrawlsById(sql: Sql, ids: readonly string[]): Promise<CrawlRow[]> {
  return sql.query(`${CRAWL_ROWS} WHERE c.id = ANY($1::uuid[])`, [ids]);
}

/** The webhook given with a crawl becomes a row, so that its messages are listed like all others. */
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

/** The receivers for these crawls: the webhook of each, and those of its source. `events` lists the ends each receives. */
export function listListeners(
  sql: Sql,
  crawlIds: readonly string[],
): Promise<{ webhook_id: string; crawl_id: string; events: string[] }[]> {
  return sql.query(
    `SELECT w.id AS webhook_id, c.id AS crawl_id, w.events FROM crawls c
     JOIN webhooks w ON (w.crawl_id = c.id OR w.source_id = c.source_id) AND w.is_active
     WHERE c.id = ANY($1::uuid[])`,
    [crawlIds],
  );
}
