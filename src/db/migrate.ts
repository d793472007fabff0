import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import type { Database, Transaction } from '../ports/database.ts';

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** Any number of processes may start at once: one brings the schema up to date, the others wait and find it done. */
const LOCK = 4_250_718_001;

/**
 * Brings a database up to date. Each file runs in a transaction of its own together with the row that records it, so a
 * run that is killed leaves whole files only, and the next start goes on with the first one missing.
 * Resolves with the names of the files that were applied now.
 */
export async function migrate(database: Database, migrations = readMigrations()): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of migrations) {
    const isNew = await database.transaction(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
      await createLedger(tx);
      const known = await findApplied(tx, migration.name);
      if (known === undefined) {
        await tx.query(migration.sql);
        await recordApplied(tx, migration);
        return true;
      }
      if (known !== migration.checksum) throw changed(migration.name);
      return false;
    });
    if (isNew) applied.push(migration.name);
  }
  return applied;
}

/** The numbered files of src/db/migrations, in order. */
export function readMigrations(folder = join(import.meta.dirname, 'migrations')): Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name));
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

// CREATE … IF NOT EXISTS may still collide between two sessions; the lock above keeps them apart.
const createLedger = (tx: Transaction) =>
  tx.query(`CREATE TABLE IF NOT EXISTS migrations (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);

async function findApplied(tx: Transaction, name: string): Promise<string | undefined> {
  const [row] = await tx.query<{ checksum: string }>('SELECT checksum FROM migrations WHERE name = $1', [name]);
  return row?.checksum;
}

const recordApplied = (tx: Transaction, { name, checksum }: Migration) =>
  tx.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);

const changed = (name: string) =>
  new AppError('SCHEMA_CHANGED', `the migration ${name} was edited after this database had applied it`, {
    details: { migration: name },
  });
