import type { ExportRow } from '../batches.ts';
import type { Column } from '../columns.ts';

/** JSON Lines: one object a row, with the columns in their order. */
export async function* writeJsonl(
  batches: AsyncIterable<ExportRow[]>,
  columns: readonly Column[],
): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => name);
  // As a filter of names, the list would hold for objects inside of the row too.
  const pick = (row: object) => Object.fromEntries(names.map((name) => [name, (row as Record<string, unknown>)[name]]));
  for await (const rows of batches)
    yield Buffer.from(rows.map((row) => `${JSON.stringify(pick(row))}\n`).join(''), 'utf8');
}
