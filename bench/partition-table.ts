import type { Database } from '../src/ports/database.ts';

/** How many days of data there are, and so how many partitions. */
export const DAYS = 14;

export interface Plan {
  table: string;
  /** What the ranges are over: a UUID that begins with a time, or a time. */
  column: string;
  over: 'uuid' | 'time';
  key: string;
  /** Further indexes that statements need because the key begins with the column. */
  indexes?: readonly string[];
}

/** The first moment of a day, `back` days ago, as a bound of the column. */
export const boundOf = (over: Plan['over'], back: number): string => {
  const day = `(date_trunc('day', now()) - interval '${back} days')`;
  if (over === 'time') return day;
  return `(lpad(to_hex((extract(epoch FROM ${day}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
};

/**
 * Puts a partitioned table, one partition a day, in the place of an empty one, with its indexes and triggers. Unique indexes
 * without the column cannot be kept: they become plain ones.
 */
export async function partition(database: Database, plan: Plan): Promise<void> {
  const { table, column, over, key, indexes = [] } = plan;
  const kept = await database.query<{ def: string }>(
    `SELECT indexdef AS def FROM pg_indexes WHERE tablename = $1 AND indexname NOT LIKE '%_pkey'`,
    [table],
  );
  const triggers = await database.query<{ def: string }>(
    'SELECT pg_get_triggerdef(oid) AS def FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal',
    [table],
  );
  const [options] = await database.query<{ list: string | null }>(
    'SELECT array_to_string(reloptions, $2) AS list FROM pg_class WHERE oid = $1::regclass',
    [table, ', '],
  );
  await database.query(`ALTER TABLE ${table} RENAME TO ${table}_before`);
  await database.query(
    `CREATE TABLE ${table} (LIKE ${table}_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY) PARTITION BY RANGE (${column})`,
  );
  await database.query(`DROP TABLE ${table}_before CASCADE`);
  for (let back = DAYS - 1; back >= 0; back--) {
    const from = back === DAYS - 1 ? 'MINVALUE' : await literal(database, boundOf(over, back));
    const to = back === 0 ? 'MAXVALUE' : await literal(database, boundOf(over, back - 1));
    const settings = options?.list == null ? '' : `WITH (${options.list})`;
    await database.query(
      `CREATE TABLE ${table}_day_${back} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to}) ${settings}`,
    );
  }
  await database.query(`ALTER TABLE ${table} ADD PRIMARY KEY (${key})`);
  for (const { def } of kept) {
    const unique = def.startsWith('CREATE UNIQUE') && !new RegExp(`[(, ]${column}[), ]`).test(def);
    await database.query(unique ? def.replace('CREATE UNIQUE', 'CREATE') : def);
  }
  for (const columns of indexes) await database.query(`CREATE INDEX ON ${table} (${columns})`);
  for (const { def } of triggers) await database.query(def);
}

async function literal(database: Database, expression: string): Promise<string> {
  const [row] = await database.query<{ text: string }>(`SELECT quote_literal(${expression}) AS text`);
  return row!.text;
}
