import type { Sql } from '../../ports/database.ts';

/**
 * Names what is visible in the database now: two equal names mean that nothing was committed between the statements
 * that returned them, in any table. Any commit of a write changes it, and it never comes back.
 */
export async function readSnapshot(sql: Sql): Promise<string> {
  const rows = await sql.query<{ snapshot: string }>('SELECT pg_current_snapshot()::text AS snapshot');
  return rows[0]!.snapshot;
}
