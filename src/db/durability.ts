import type { Sql } from '../ports/database.ts';

/** For the rest of the transaction: do not wait for the disk. Only for what is made good by itself after a crash. */
export async function relaxDurability(sql: Sql): Promise<void> {
  await sql.query("SELECT set_config('synchronous_commit', 'off', true)");
}
