import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';

export interface TagRow {
  id: string;
  name: string;
  created_at: Date;
}

export const TAG_SORTS = {
  name: { keys: [{ sql: 'name', type: 'text' }], order: 'asc' },
  created: newestFirst(),
} satisfies Sorts;

export const listTagRows = (): Listing<TagRow> => ({ columns: 'id, name, created_at', from: 'tags', filters: [] });

export async function insertTag(sql: Sql, row: { id: string; name: string }): Promise<TagRow> {
  const rows = await sql.query<TagRow>('INSERT INTO tags (id, name) VALUES ($1, $2) RETURNING id, name, created_at', [
    row.id,
    row.name,
  ]);
  return rows[0]!;
}

/** Filters look into the index: documents that lose a tag are indexed again. */
export async function outboxTag(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `INSERT INTO outbox (document_id, action)
     SELECT d.id, 'index' FROM document_tags t JOIN documents d ON d.id = t.document_id
     WHERE t.tag_id = $1 AND d.deleted_at IS NULL`,
    [id],
  );
}

export async function deleteTagRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM tags WHERE id = $1 RETURNING id', [id])).length > 0;
}
