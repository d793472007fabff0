import type { Sql } from '../../ports/database.ts';

/**
 * Removes an export; `unused` is its file, where no other export has the same bytes: equal ones share a blob.
 */
export async function deleteExportJob(sql: Sql, id: string): Promise<{ unused: string | null } | undefined> {
  const [row] = await sql.query<{ unused: string | null }>(
    `WITH gone AS (DELETE FROM jobs WHERE id = $1 AND kind = 'export' RETURNING id, result ->> 'reference' AS reference)
     SELECT CASE WHEN NOT EXISTS (
       SELECT 1 FROM jobs j WHERE j.kind = 'export' AND j.id <> gone.id AND j.result ->> 'reference' = gone.reference
     ) THEN reference END AS unused FROM gone`,
    [id],
  );
  return row;
}
