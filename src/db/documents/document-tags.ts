import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

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

/** Tags by name, made where they are missing. */
export async function ensureTags(
  sql: Sql,
  rows: readonly { id: string; name: string }[],
): Promise<{ id: string; name: string }[]> {
  if (rows.length === 0) return [];
  return sql.query(
    `WITH input AS (SELECT * FROM json_to_recordset($1::json) AS x (id uuid, name text)),
     made AS (INSERT INTO tags (id, name) SELECT id, name FROM input ON CONFLICT (name) DO NOTHING RETURNING id, name)
     SELECT id, name FROM made UNION SELECT t.id, t.name FROM tags t JOIN input i ON i.name = t.name`,
    [toJson(rows)],
  );
}

/** Returns whether anything changed. */
export async function attachTags(sql: Sql, documentId: string, tagIds: readonly string[]): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO document_tags (document_id, tag_id) SELECT $1, id FROM unnest($2::uuid[]) AS id
     ON CONFLICT DO NOTHING RETURNING tag_id`,
    [documentId, tagIds],
  );
  return rows.length > 0;
}

export async function detachTag(sql: Sql, documentId: string, tagId: string): Promise<boolean> {
  const rows = await sql.query('DELETE FROM document_tags WHERE document_id = $1 AND tag_id = $2 RETURNING tag_id', [
    documentId,
    tagId,
  ]);
  return rows.length > 0;
}
