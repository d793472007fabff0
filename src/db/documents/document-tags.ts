import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

/** Makes the tags that do not exist yet. */
export async function ensureTags(sql: Sql, rows: readonly { id: string; name: string }[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO tags (id, name) SELECT id, name FROM json_to_recordset($1::json) AS x (id uuid, name text) ON CONFLICT (name) DO NOTHING`,
    [toJson(rows)],
  );
}

export interface Filing {
  url_hash: string;
  /** Null: it stays where it is. */
  collection_id: string | null;
  tags: readonly string[];
}

/**
 * Puts documents into the collection of their crawl and its tags on them, whether or not their content is new. Filters look
 * into the index, so a document that changed this way is indexed again, unless it waits for that already.
 */
export async function fileDocuments(sql: Sql, rows: readonly Filing[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `WITH input AS (
       SELECT DISTINCT ON (d.id) d.id, x.collection_id, x.tags
       FROM json_to_recordset($1::json) AS x (url_hash text, collection_id uuid, tags text[])
       JOIN documents d ON d.url_hash = decode(x.url_hash, 'hex') AND d.deleted_at IS NULL ORDER BY d.id
     ), moved AS (
       UPDATE documents d SET collection_id = i.collection_id, updated_at = now() FROM input i
       WHERE d.id = i.id AND i.collection_id IS NOT NULL AND d.collection_id IS DISTINCT FROM i.collection_id RETURNING d.id
     ), tagged AS (
       INSERT INTO document_tags (document_id, tag_id)
       SELECT i.id, t.id FROM input i JOIN tags t ON t.name = ANY(i.tags)
       ON CONFLICT DO NOTHING RETURNING document_id
     )
     INSERT INTO outbox (document_id, action)
     SELECT c.id, 'index' FROM (SELECT id FROM moved UNION SELECT document_id FROM tagged) c
     WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.document_id = c.id AND o.action = 'index' AND o.stage = 'text' AND o.lease_until IS NULL)`,
    [toJson(rows)],
  );
}
