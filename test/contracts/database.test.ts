import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { loadSettings } from '../../src/config/load.ts';
import { createEmbeddedDatabase } from '../../src/drivers/database/embedded.ts';
import { createPostgresDatabase } from '../../src/drivers/database/postgres.ts';
import type { Database } from '../../src/ports/database.ts';
import { createPlainServer, findDebianBinaries, type PlainServer } from '../support/plain-server.ts';
import { databaseContract } from './database.contract.ts';
import { runContract } from './support/contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'crawl4r-contract-'));
const opened: AsyncDisposable[] = [];
after(async () => {
  for (const each of opened.reverse()) await each[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** One database for all cases of a row: opening it takes longest. */
function shared(open: () => Promise<Database>): () => Promise<Database> {
  let database: Promise<Database> | undefined;
  const openOnce = async () => {
    const made = await open();
    opened.push(made);
    return made;
  };
  return () => (database ??= openOnce());
}

const plain = (start: () => Promise<PlainServer>) =>
  shared(async () => {
    const server = await start();
    opened.push(server);
    return createPostgresDatabase({ url: server.url, poolSize: 5 });
  });

runContract(
  databaseContract,
  'embedded',
  shared(() => createEmbeddedDatabase({ dataDir: folder, poolSize: 5 })),
);
runContract(databaseContract, 'postgres by URL', plain(createPlainServer));

const debian = findDebianBinaries();
runContract(
  databaseContract,
  'postgres of Debian',
  plain(() => createPlainServer(debian)),
  { skip: debian === undefined && 'no PostgreSQL package is installed' },
);

describe('a server by URL that comes and goes', () => {
  test('is waited for at start, reported while it is gone, and used again when it is back', async () => {
    await using server = await createPlainServer();
    await using database = await createPostgresDatabase({ url: server.url, poolSize: 2 });
    await server.stop();
    await assert.rejects(database.check(), { code: 'DATABASE_DOWN', retryable: true });
    await assert.rejects(createPostgresDatabase({ url: server.url, waitMs: 0 }), { code: 'DATABASE_DOWN' });
    await server.start();
    await using second = await createPostgresDatabase({ url: server.url, poolSize: 2 });
    assert.equal((await second.check()).version, (await database.check()).version);
  });

  test('a login that is refused is a matter of settings', async () => {
    await using server = await createPlainServer();
    const url = server.url.replace('/postgres', '/nowhere');
    await assert.rejects(createPostgresDatabase({ url }), { code: 'CONFIG_INVALID', message: /nowhere/ });
  });
});

describe('prepared statements', () => {
  /** The names a connection knows after one statement ran often on it. */
  async function namesAfter(preparedStatements: boolean): Promise<number> {
    await using server = await createPlainServer();
    await using database = await createPostgresDatabase({ url: server.url, poolSize: 1, preparedStatements });
    for (let use = 0; use < 10; use++) {
      await database.query('SELECT $1::int AS prepared_or_not', [use]);
      await database.transaction((tx) => tx.query('SELECT $1::int AS within_a_transaction', [use]));
    }
    return (await database.query('SELECT name FROM pg_prepared_statements')).length;
  }

  test('are made for what runs often', async () => {
    assert.equal(await namesAfter(true), 2);
  });

  test('are never made when a setting turns them off', async () => {
    assert.equal(await namesAfter(false), 0);
    const { settings } = loadSettings({ DATABASE__PREPARED_STATEMENTS: 'false' });
    assert.equal(settings.database.preparedStatements, false);
  });
});
