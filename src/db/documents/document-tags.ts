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

/** Puts the tags of a crawl on its documents. */
export async function tagDocuments(sql: Sql, rows: readonly { document_id: string; tag: string }[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO document_tags (document_id, tag_id)
     SELECT x.document_id, t.id FROM json_to_recordset($1::json) AS x (document_id uuid, tag text) JOIN tags t ON t.name = x.tag
     ON CONFLICT DO NOTHING`,
    [toJson(rows)],
  );
}
