import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

export type GoneReason = 'not_found' | 'moved' | 'noindex' | 'duplicate';

export interface GoneDocument {
  id: string;
  url: string;
  url_hash: string;
  domain: string;
  reason: GoneReason;
}

/**
 * Takes crawled documents out of search, and products out of the catalogue, by the address that is no longer there; the
 * outbox row takes them out of the indexes too. Versions and prices stay. Returns what was there until now.
 */
export async function markGone(
  sql: Sql,
  rows: readonly { url_hash: string; reason: GoneReason }[],
): Promise<GoneDocument[]> {
  if (rows.length === 0) return [];
  return sql.query(
    `WITH input AS (
       SELECT DISTINCT ON (url_hash) decode(url_hash, 'hex') AS hash, reason
       FROM json_to_recordset($1::json) AS x (url_hash text, reason text) ORDER BY url_hash
     ), gone AS (
       UPDATE documents d SET gone_at = now(), gone_reason = i.reason, updated_at = now() FROM input i
       WHERE d.url_hash = i.hash AND d.gone_at IS NULL AND d.deleted_at IS NULL AND d.source = 'crawl'
       RETURNING d.id, d.url, d.url_hash, d.domain, d.gone_reason AS reason
     ), unlisted AS (
       UPDATE products p SET gone_at = now() FROM input i WHERE p.url_hash = i.hash AND p.gone_at IS NULL
     ), queued AS (
       INSERT INTO outbox (document_id, action, priority) SELECT id, 'delete', 2 FROM gone
     )
     SELECT id, url, encode(url_hash, 'hex') AS url_hash, domain, reason FROM gone`,
    [toJson(rows)],
  );
}
