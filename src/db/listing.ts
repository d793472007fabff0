import type { Sql } from '../ports/database.ts';

/** What rows are ordered by: an expression of SQL, and the type of its value. */
export interface Key {
  sql: string;
  type: 'uuid' | 'timestamptz' | 'text' | 'int' | 'bigint' | 'numeric';
  /** Rows without a value are left out: they have no place in this order. */
  nullable?: true;
}

/** One order of a list: the last key is unique, so that every row has a place of its own. `order` is the default direction. */
export interface Sort {
  keys: readonly Key[];
  order: 'asc' | 'desc';
}

/** The orders a list offers, the usual one first. Each must follow an index where the table may become large. */
export type Sorts<Name extends string = string> = Readonly<Record<Name, Sort>>;

/** A condition; `?` is the place of its value. One whose value is undefined does not count. */
export type Filter = readonly [condition: string, value?: unknown];

/** A list as SQL. `Row` is what `columns` select. */
export interface Listing<Row> {
  columns: string;
  from: string;
  filters: readonly Filter[];
  /** Never there: ties the type to the statement. */
  row?: Row;
}

export interface Place {
  sort: Sort;
  order: 'asc' | 'desc';
  /** The keys of the last row of the page before, as text. */
  after: readonly string[] | undefined;
  limit: number;
}

export interface Placed<Row> {
  row: Row;
  keys: string[];
}

/** By id: newest first, for ids are made in the order of time. */
export const newestFirst = (id = 'id'): Sort => ({ keys: [{ sql: id, type: 'uuid' }], order: 'desc' });

/**
 * A page of a list, each row with the text of its keys: a Date would lose microseconds, and rows with them. Conditions that do
 * not count are left out of the statement, so that the planner sees which index fits.
 */
export async function readPage<Row extends object>(
  sql: Sql,
  listing: Listing<Row>,
  place: Place,
): Promise<Placed<Row>[]> {
  const { keys } = place.sort;
  const values: unknown[] = [place.limit];
  const where = conditions(listing.filters, values);
  for (const key of keys) if (key.nullable) where.push(`${key.sql} IS NOT NULL`);
  if (place.after !== undefined) {
    const bound = keys.map(({ type }, at) => `$${values.push(place.after![at])}::${type}`);
    const sign = place.order === 'asc' ? '>' : '<';
    where.push(`(${keys.map((key) => key.sql).join(', ')}) ${sign} (${bound.join(', ')})`);
  }
  const rows = await sql.query<Row & { sort_keys: string[] }>(
    `SELECT ${listing.columns}, ARRAY[${keys.map((key) => `${key.sql}::text`).join(', ')}] AS sort_keys
     FROM ${listing.from}${whereAll(where)}
     ORDER BY ${keys.map((key) => `${key.sql} ${place.order}`).join(', ')} LIMIT $1`,
    values,
  );
  return rows.map(({ sort_keys, ...row }) => ({ row: row as unknown as Row, keys: sort_keys }));
}

/** All rows that pass the filters, and have a place in this order. It reads them all: only where a caller asks. */
export async function countListing(sql: Sql, listing: Listing<object>, sort: Sort): Promise<number> {
  const values: unknown[] = [];
  const where = conditions(listing.filters, values);
  for (const key of sort.keys) if (key.nullable) where.push(`${key.sql} IS NOT NULL`);
  const rows = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM ${listing.from}${whereAll(where)}`,
    values,
  );
  return rows[0]!.total;
}

function conditions(filters: readonly Filter[], values: unknown[]): string[] {
  return filters
    .filter((filter) => filter.length === 1 || filter[1] !== undefined)
    .map(([condition, ...value]) => {
      const place = value.length === 0 ? '' : `$${values.push(value[0])}`;
      return `(${condition.replaceAll('?', place)})`;
    });
}

const whereAll = (where: readonly string[]) => (where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`);
