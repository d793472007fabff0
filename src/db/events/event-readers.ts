import type { Sql } from '../../ports/database.ts';

/** Takes a reader's place for this transaction; undefined while another process has it. */
export async function lockReader(sql: Sql, name: string): Promise<number | undefined> {
  const [row] = await sql.query<{ position: number }>(
    'SELECT position FROM event_readers WHERE name = $1 FOR UPDATE SKIP LOCKED',
    [name],
  );
  return row?.position;
}

export async function moveReader(sql: Sql, name: string, position: number): Promise<void> {
  await sql.query('UPDATE event_readers SET position = $2, updated_at = now() WHERE name = $1', [name, position]);
}
