import type { Sql } from '../../ports/database.ts';

/** The group each document belongs to; a document that stands alone is a group of its own. */
export async function findDuplicateGroups(sql: Sql, documentIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; key: string }>(
    'SELECT id, coalesce(duplicate_group, page_id, id) AS key FROM documents WHERE id = ANY ($1::uuid[])',
    [documentIds],
  );
  return new Map(rows.map(({ id, key }) => [id, key]));
}

export interface Duplicates {
  id: string;
  count: number;
  urls: string[];
}

/** How many other documents of its group each document stands for, and the first addresses of them. */
export function findDuplicates(
  sql: Sql,
  documentIds: readonly string[],
  collectionIds: readonly string[] | undefined,
): Promise<Duplicates[]> {
  return sql.query(
    `SELECT d.id, count(*) AS count, (array_agg(o.url ORDER BY o.url))[1:50] AS urls
     FROM documents d
     CROSS JOIN LATERAL (
       SELECT id, url, deleted_at, gone_at, collection_id FROM documents WHERE duplicate_group = coalesce(d.duplicate_group, d.page_id)
       UNION ALL
       SELECT id, url, deleted_at, gone_at, collection_id FROM documents WHERE page_id = d.duplicate_group AND duplicate_group IS NULL
     ) o
     WHERE d.id = ANY ($1::uuid[]) AND o.id <> d.id AND o.deleted_at IS NULL AND o.gone_at IS NULL
       AND ($2::uuid[] IS NULL OR o.collection_id = ANY ($2::uuid[]))
     GROUP BY d.id`,
    [documentIds, collectionIds ?? null],
  );
}
