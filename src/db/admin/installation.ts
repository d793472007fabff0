import type { Sql } from '../../ports/database.ts';

/** Small facts of the installation, one JSON value a name. */

export async function writeFact(sql: Sql, key: string, value: unknown): Promise<void> {
  await sql.query(
    `INSERT INTO settings (key, value) VALUES ($1, $2)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`,
    [key, JSON.stringify(value)],
  );
}

/** The fact, which is `first` unless there was one: concurrent callers all get the same. */
export async function ensureFact(sql: Sql, key: string, first: unknown): Promise<unknown> {
  await sql.query('INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING', [
    key,
    JSON.stringify(first),
  ]);
  return (await sql.query<{ value: unknown }>('SELECT value FROM settings WHERE key = $1', [key]))[0]?.value;
}

/** Reads and removes a fact in one step, so that only one caller gets it; undefined when it is older than `maxAgeS`. */
export async function takeFact<Value>(sql: Sql, key: string, maxAgeS: number): Promise<Value | undefined> {
  const rows = await sql.query<{ value: Value; fresh: boolean }>(
    'DELETE FROM settings WHERE key = $1 RETURNING value, updated_at > now() - make_interval(secs => $2) AS fresh',
    [key, maxAgeS],
  );
  return rows[0]?.fresh === true ? rows[0].value : undefined;
}

export async function deleteFacts(sql: Sql, prefix: string): Promise<void> {
  await sql.query('DELETE FROM settings WHERE starts_with(key, $1)', [prefix]);
}

/** True for the one transaction that holds a name at a time; it is free again when that ends. */
export async function tryLock(tx: Sql, name: string): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held', [
    name,
  ]);
  return row?.held === true;
}
