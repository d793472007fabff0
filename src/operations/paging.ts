import { z } from 'zod';
import { AppError } from '../errors.ts';
import { findUnstorable } from '../text/storable.ts';

/** How a caller pages through a list: a size, and the opaque mark the page before ended with. */
export const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Entries per page, 1 to 200.'),
  cursor: z.string().max(1_000).optional().describe('next_cursor of the page before.'),
});

/** The shape of every list. */
export const listPageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Send it as cursor to get the next page; null on the last one.'),
    has_more: z.boolean(),
    total: z.number().int().optional().describe('All matching entries, where counting them is cheap.'),
  });

export interface ListPage<Item> {
  items: Item[];
  next_cursor: string | null;
  has_more: boolean;
  total?: number;
}

/** The keys of the last row, hidden: callers must not build cursors themselves, so their make-up stays ours. */
export const encodeCursor = (keys: readonly unknown[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');

/** The keys a cursor holds; a cursor that does not hold what `schema` says is CURSOR_INVALID. */
export function decodeCursor<Schema extends z.ZodType>(
  cursor: string | undefined,
  schema: Schema,
): z.output<Schema> | undefined {
  if (cursor === undefined) return undefined;
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (findUnstorable(keys) === undefined) return schema.parse(keys);
  } catch {
    // The answer says all there is to say.
  }
  throw new AppError('CURSOR_INVALID', 'the cursor is not one this list gave out');
}

/** A time as PostgreSQL writes it. It travels as text: a Date would lose its microseconds, and rows with them. */
export const TimeKey = z
  .string()
  .max(40)
  .refine((text) => {
    const iso = text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00');
    return (
      /^(?!0000)\d{4}-.*[+-](0\d|1[0-4]):\d\d$/.test(iso) && z.iso.datetime({ offset: true }).safeParse(iso).success
    );
  });

/** Most lists are newest first by id: their cursor is the last id. */
export const decodeIdCursor = (cursor: string | undefined) => decodeCursor(cursor, z.tuple([z.uuid()]))?.[0];

/** Cuts `limit + 1` rows to a page; the extra row only shows that there is more. */
export function toListPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keysOf: (row: Row) => readonly unknown[],
  toItem: (row: Row) => Item,
): ListPage<Item> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: kept.map(toItem), next_cursor: more ? encodeCursor(keysOf(last)) : null, has_more: more };
}
