import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { createPostgresDatabase } from '../../src/drivers/database/postgres.ts';
import type { Database } from '../../src/ports/database.ts';
import { acquireServer, withDatabase } from './server.ts';

interface TestDatabaseOptions {
  /** False gives an empty database, for tests of the migrations themselves. */
  migrated?: boolean;
  poolSize?: number;
}

/**
 * A database of its own for one test: a copy of a migrated template, dropped when disposed of. Disposing fails when
 * a connection to it was left open, because that is a leak in what was tested.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<Database & AsyncDisposable> {
  const server = await acquireServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  try {
    const template = options.migrated === false ? 'template1' : await ensureTemplate(server.url);
    await onServer(server.url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
    const url = withDatabase(server.url, name);
    return await createPostgresDatabase({
      url,
      poolSize: options.poolSize ?? 5,
      onDispose: async () => {
        const leaks = await countLeaks(server.url, name);
        await onServer(server.url, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
        server.release();
        if (leaks > 0) throw new Error(`${leaks} connections to the test database were left open`);
      },
    });
  } catch (error) {
    server.release();
    throw error;
  }
}

/** Made once per state of the migrations, by whichever test comes first; the lock keeps the others waiting. */
async function ensureTemplate(serverUrl: string): Promise<string> {
  const sums = readMigrations().map(({ checksum }) => checksum);
  const name = `template_${createHash('sha256').update(sums.join()).digest('hex').slice(0, 16)}`;
  await onServer(serverUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount !== 0) return;
    await client.query(`DROP DATABASE IF EXISTS ${name}_draft WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}_draft TEMPLATE template1`);
    const database = await createPostgresDatabase({ url: withDatabase(serverUrl, `${name}_draft`), poolSize: 1 });
    try {
      await migrate(database);
    } finally {
      await database[Symbol.asyncDispose]();
    }
    await client.query(`ALTER DATABASE ${name}_draft RENAME TO ${name}`);
  });
  return name;
}

async function countLeaks(serverUrl: string, name: string): Promise<number> {
  // A connection that was closed just now may still be listed for a moment.
  for (let look = 0; ; look++) {
    const open = await onServer(serverUrl, (client) =>
      client.query(`SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`, [name]),
    );
    if (open.rowCount === 0 || look === 40) return open.rowCount ?? 0;
    await new Promise((done) => setTimeout(done, 25));
  }
}

async function onServer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
