import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { loadSettings } from '../../src/config/load.ts';
import { createEmbeddedDatabase } from '../../src/drivers/database/embedded.ts';
import { createPostgresDatabase } from '../../src/drivers/database/postgres.ts';
import { createPlainServer, findDebianBinaries, type PlainServer } from '../support/plain-server.ts';
import { databaseContract } from './database.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'crawl4r-contract-'));
const servers: PlainServer[] = [];
after(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function openPlain(start: () => Promise<PlainServer>) {
  const server = await start();
  servers.push(server);
  return createPostgresDatabase({ url: server.url, poolSize: 5 });
}

databaseContract('embedded', () => createEmbeddedDatabase({ dataDir: folder, poolSize: 5 }));
databaseContract('postgres by URL', () => openPlain(createPlainServer));

const debian = findDebianBinaries();
if (debian !== undefined) databaseContract('postgres of Debian', () => openPlain(() => createPlainServer(debian)));
else test('database contract: postgres of Debian', { skip: 'no PostgreSQL package is installed' }, () => {});

describe('a server by URL that comes and goes', () => {
  test('is waited for at start, reported while it is gone, and used again when it is back', async () => {
    await using server = await createPlainServer();
    await using database = await createPostgresDatabase({ url: server.url, poolSize: 2 });
    await server.stop();
    await assert.rejects(database.ping(), { code: 'DATABASE_DOWN', retryable: true });
    await assert.rejects(createPostgresDatabase({ url: server.url, waitMs: 0 }), { code: 'DATABASE_DOWN' });
    await server.start();
    await using second = await createPostgresDatabase({ url: server.url, poolSize: 2 });
    assert.equal(await second.ping(), await database.ping());
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
