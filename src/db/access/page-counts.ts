import type { Sql } from '../../ports/database.ts';

/**
 * Adds stored pages to the UTC day of their owners: one statement a batch. Rows are locked in the order of their owners and last in
 * the transaction of the batch, so that batches wait for each other shortly and never in a circle.
 */
export async function countPages(sql: Sql, pages: ReadonlyMap<string, number>): Promise<void> {
  if (pages.size === 0) return;
  await sql.query(
    `INSERT INTO page_counts (owner, day, pages)
     SELECT owner, (now() AT TIME ZONE 'UTC')::date, pages FROM unnest($1::uuid[], $2::int[]) AS x (owner, pages) ORDER BY owner
     ON CONFLICT (owner, day) DO UPDATE SET pages = page_counts.pages + excluded.pages`,
    [[...pages.keys()], [...pages.values()]],
  );
}

/** Days that no quota is held against any more. */
export async function deleteOldPageCounts(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM page_counts WHERE day < (now() AT TIME ZONE 'UTC')::date - 30`);
}
