import type { ExportRow } from '../batches.ts';
import type { Column } from '../columns.ts';

/** A spreadsheet takes a cell that starts like this for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/**
 * RFC 4180 in UTF-8 with a header line. A text that a spreadsheet would run as a formula gets an apostrophe in front;
 * numbers, also those that come as text (amounts), are left as they are. Null is an empty cell.
 */
export async function* writeCsv(
  batches: AsyncIterable<ExportRow[]>,
  columns: readonly Column[],
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`);
  for await (const rows of batches) {
    const lines = rows.map((row) => columns.map(({ name }) => toCell((row as never)[name])).join(','));
    yield Buffer.from(`${lines.join('\r\n')}\r\n`, 'utf8');
  }
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
