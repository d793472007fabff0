import type { Sql } from '../../ports/database.ts';

interface State {
  pages: number;
  counts: Record<string, number>;
}

export async function loadTemplate(sql: Sql, domainId: string): Promise<State | undefined> {
  const [row] = await sql.query<{ boilerplate: State | null }>('SELECT boilerplate FROM domains WHERE id = $1', [
    domainId,
  ]);
  return row?.boilerplate ?? undefined;
}

export async function saveTemplate(sql: Sql, domainId: string, state: State): Promise<void> {
  await sql.query('UPDATE domains SET boilerplate = $2 WHERE id = $1', [domainId, state]);
}
