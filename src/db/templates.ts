import type { Sql } from '../ports/database.ts';

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

/** Blocks that were seen on one page only are not kept: most never come again. */
export async function saveTemplate(sql: Sql, domainId: string, state: State): Promise<void> {
  const counts = Object.fromEntries(Object.entries(state.counts).filter(([, count]) => count > 1));
  await sql.query('UPDATE domains SET boilerplate = $2 WHERE id = $1', [domainId, { ...state, counts }]);
}
