import { z } from 'zod';
import { countListing, type Key, type Listing, readPage, type Sort, type Sorts } from '../db/listing.ts';
import { AppError } from '../errors.ts';
import type { Sql } from '../ports/database.ts';
import { findUnstorable } from '../text/storable.ts';

/** How a caller pages through a list: a size, and the opaque mark the page before ended with. */
export const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Entries per page, 1 to 200.'),
  cursor: z.string().max(4_000).optional().describe('next_cursor of the page before.'),
});

/** How a caller orders a list, and asks for the number of its entries. */
export const sortBy = <Name extends string>(sorts: Sorts<Name>) => {
  const names = Object.keys(sorts) as [Name, ...Name[]];
  const usual = names.map((name) => `${name}: ${sorts[name].order}`).join(', ');
  return {
    sort: z
      .enum(names)
      .optional()
      .describe(
        `What the list is ordered by; ${names[0]} unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from.`,
      ),
    order: z.enum(['asc', 'desc']).optional().describe(`Upwards or downwards; unless told, ${usual}.`),
    total: z
      .stringbool()
      .or(z.boolean())
      .optional()
      .describe('true: the answer has total, counted with the same filters. Counting a large list takes its time.'),
  };
};

/** The shape of every list. */
export const listPageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Send it as cursor to get the next page; null on the last one.'),
    has_more: z.boolean(),
    total: z
      .number()
      .int()
      .optional()
      .describe('All matching entries: with total=true, and where the list knows it anyway.'),
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

const KEY_TEXTS: Record<Key['type'], z.ZodType<string>> = {
  uuid: z.uuid(),
  timestamptz: TimeKey,
  text: z.string(),
  int: z
    .string()
    .regex(/^-?\d{1,10}$/)
    .refine((text) => z.int32().safeParse(Number(text)).success),
  bigint: z
    .string()
    .regex(/^-?\d{1,16}$/)
    .refine((text) => Number.isSafeInteger(Number(text))),
  numeric: z.string().regex(/^-?\d{1,30}(\.\d{1,30})?$/),
};

interface SortedQuery<Name extends string> {
  limit: number;
  cursor?: string | undefined;
  sort?: Name | undefined;
  order?: 'asc' | 'desc' | undefined;
  total?: boolean | undefined;
}

/** A page of a list in the order its query names. The cursor carries that order: another list or order refuses it. */
export async function readList<Row extends object, Item, Name extends string>(
  sql: Sql,
  listing: Listing<Row>,
  sorts: Sorts<Name>,
  query: SortedQuery<Name>,
  toItem: (row: Row) => Item,
): Promise<ListPage<Item>> {
  const name = query.sort ?? (Object.keys(sorts)[0] as Name);
  const sort: Sort = sorts[name];
  const order = query.order ?? sort.order;
  const marks = [z.literal(name), z.literal(order)] as const;
  const texts = sort.keys.map(({ type }) => KEY_TEXTS[type]);
  const after = decodeCursor(query.cursor, z.tuple([...marks, ...texts] as never)) as string[] | undefined;
  const rows = await readPage(sql, listing, { sort, order, after: after?.slice(marks.length), limit: query.limit + 1 });
  const page = toListPage(
    rows,
    query.limit,
    ({ keys }) => [name, order, ...keys],
    ({ row }) => toItem(row),
  );
  return query.total === true ? { ...page, total: await countListing(sql, listing, sort) } : page;
}

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
