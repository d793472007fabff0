import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';

export interface CollectionRow {
  id: string;
  name: string;
  description: string | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'id, name, description, created_at, updated_at';

export const COLLECTION_SORTS = {
  created: newestFirst(),
  name: {
    keys: [
      { sql: 'name', type: 'text' },
      { sql: 'id', type: 'uuid' },
    ],
    order: 'asc',
  },
} satisfies Sorts;

/** `within`: only these. */
export const listCollectionRows = (within?: readonly string[]): Listing<CollectionRow> => ({
  columns: COLUMNS,
  from: 'collections',
  filters: [['id = ANY (?::uuid[])', within]],
});

/** Which of the ids belong to no collection. */
export async function findMissingCollections(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    'SELECT x.id FROM unnest($1::uuid[]) AS x (id) WHERE NOT EXISTS (SELECT 1 FROM collections c WHERE c.id = x.id)',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Deleted documents do not count. */
export async function findCollection(
  sql: Sql,
  id: string,
): Promise<(CollectionRow & { documents: number }) | undefined> {
  const rows = await sql.query<CollectionRow & { documents: number }>(
    `SELECT ${COLUMNS}, (SELECT count(*) FROM documents d WHERE d.collection_id = c.id AND d.deleted_at IS NULL AND d.gone_at IS NULL) AS documents
     FROM collections c WHERE id = $1`,
    [id],
  );
  return rows[0];
}

export async function insertCollection(
  sql: Sql,
  row: { id: string; name: string; description: string | null },
): Promise<CollectionRow> {
  const rows = await sql.query<CollectionRow>(
    `INSERT INTO collections (id, name, description) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
    [row.id, row.name, row.description],
  );
  return rows[0]!;
}

export async function updateCollectionRow(
  sql: Sql,
  id: string,
  change: { name: string; description: string | null },
): Promise<CollectionRow | undefined> {
  const rows = await sql.query<CollectionRow>(
    `UPDATE collections SET name = $2, description = $3, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, change.name, change.description],
  );
  return rows[0];
}

export async function deleteCollectionRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM collections WHERE id = $1 RETURNING id', [id])).length === 1;
}

/** The index holds the collection of each chunk: what leaves one must be indexed again. */
export async function outboxCollection(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `INSERT INTO outbox (document_id, action)
     SELECT id, 'index' FROM documents WHERE collection_id = $1 AND deleted_at IS NULL`,
    [id],
  );
}
