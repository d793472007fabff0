import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type App, createApp } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load.ts';
import { openKeyStore } from '../../src/config/secret-keys.ts';
import { ensureLinkKey } from '../../src/db/admin/link-key.ts';
import { countStale, PROXY_PURPOSE, resealBatch, SEALED_PLACES } from '../../src/db/admin/sealed-values.ts';
import { openHeaders } from '../../src/db/stored-headers.ts';
import { newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import { getSecretsState, rotateSecrets } from '../../src/operations/admin/rotate-secrets.ts';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { createCrawlConfig } from '../../src/operations/organise/create-crawl-config.ts';
import { createProxy } from '../../src/operations/proxies/create-proxy.ts';
import { createSource } from '../../src/operations/sources/create-source.ts';
import { createWebhook, rotateSecret } from '../../src/operations/webhooks/manage-webhooks.ts';
import { readSharedSecrets } from '../../src/operations/webhooks/shared-secret.ts';
import type { Database } from '../../src/ports/database.ts';
import { KEY_BYTES } from '../../src/secrets.ts';
import { createTestDatabase } from '../support/database.ts';

let database: Database;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const open = (settings: Record<string, string> = {}): Promise<App> =>
  createApp(loadSettings({ DATA_DIR: folder, ...settings }).settings, {
    database,
    log: createLog({ level: 'silent', stream: process.stderr }),
  });
const keyFile = () => join(folder, 'secrets.key');
const newKey = () => randomBytes(KEY_BYTES).toString('base64');

/** One value of every kind that is sealed. */
async function fill(app: App): Promise<void> {
  const headers = { authorization: 'Bearer hush-header' };
  await createProxy(app, { name: 'p', url: 'http://me:hush-proxy@proxy.example:8080' });
  await createCrawlConfig(app, { name: 'c', options: { headers, headers_origin: 'https://a.example' } });
  const fields = { name: 's', url: 'https://a.example/', time_zone: 'UTC', is_active: true };
  const source = await createSource(app, { ...fields, options: { headers } });
  const hook = { url: 'https://hook.example/in', events: ['crawl.completed'], filter: {}, is_active: true };
  const webhook = await createWebhook(app, source.id, { ...hook, headers: { 'x-hook': 'hush-hook' } });
  await rotateSecret(app, webhook.id, { overlap_s: 60 });
  await readSharedSecrets(app);
  await ensureLinkKey(app.database, app.secrets);
  const webhook_headers = { 'x-end': 'hush-end' };
  await startCrawl(app, { urls: ['https://a.example/'], options: { headers }, webhook_url: hook.url, webhook_headers });
}

const dump = async () => {
  const tables = ['proxies', 'webhooks', 'crawl_configs', 'sources', 'crawls', 'settings'];
  const rows = await database.query<{ text: string }>(
    tables.map((table) => `SELECT row_to_json(x)::text AS text FROM ${table} x`).join(' UNION ALL '),
  );
  return rows.map(({ text }) => text).join('\n');
};

describe('the key of an installation', () => {
  it('is made at the first start, for its owner alone, and used again at the next', async () => {
    await using first = await open();
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600);
    const sealed = first.secrets.seal('x', 'kept');
    await using second = await open();
    assert.equal(second.secrets.open('x', sealed), 'kept');
  });

  it('that is missing stops the start, and no other is made in its place', async () => {
    await (await open())[Symbol.asyncDispose]();
    renameSync(keyFile(), `${keyFile()}.away`);
    await assert.rejects(open(), { code: 'SECRETS_KEY_MISSING', hint: /secrets\.key/ });
    assert.throws(() => statSync(keyFile()), { code: 'ENOENT' });
    await assert.rejects(open({ SECRETS__KEY_FILE: join(folder, 'nothing') }), { code: 'SECRETS_KEY_MISSING' });
    await (await open({ SECRETS__KEY: readFileSync(`${keyFile()}.away`, 'utf8').trim() }))[Symbol.asyncDispose]();
  });

  it('that is wrong or no key at all stops the start', async () => {
    await (await open())[Symbol.asyncDispose]();
    await assert.rejects(open({ SECRETS__KEY: newKey() }), { code: 'SECRETS_KEY_WRONG', hint: /SECRETS__KEY/ });
    await assert.rejects(open({ SECRETS__KEY: 'password' }), { code: 'SECRETS_KEY_INVALID' });
    writeFileSync(keyFile(), newKey());
    await assert.rejects(open(), { code: 'SECRETS_KEY_WRONG' });
  });

  it('of a host that came second to a database is not left behind', async () => {
    await (await open())[Symbol.asyncDispose]();
    const elsewhere = join(folder, 'elsewhere');
    await assert.rejects(open({ DATA_DIR: elsewhere }), { code: 'SECRETS_KEY_MISSING' });
    assert.throws(() => statSync(join(elsewhere, 'secrets.key')), { code: 'ENOENT' });
  });
});

describe('stored secrets', () => {
  it('are all sealed: none can be read in the database', async () => {
    await using app = await open();
    await fill(app);
    const text = await dump();
    assert.doesNotMatch(text, /hush|whsec_/);
    for (const { table, column, only = 'true', read } of SEALED_PLACES) {
      const rows = await database.query(`SELECT 1 FROM ${table} WHERE ${only} AND ${read} LIKE '%enc:v1:%'`);
      assert.ok(rows.length > 0, `${table}.${column} holds nothing that is sealed`);
    }
  });

  it('are all under the new key after a rotation, while a process that runs goes on', async () => {
    await using app = await open();
    await using running = await open();
    await fill(app);
    const before = app.secrets.keyId();
    const { resealed, key, stale, older_keys } = await rotateSecrets(app);
    assert.notEqual(key, before);
    assert.deepEqual([stale, older_keys], [0, [before]], 'the key before stays for what was under way');
    assert.ok(resealed >= SEALED_PLACES.length);
    assert.ok(!(await dump()).includes(`enc:v1:${before}:`));
    const [proxy] = await database.query<{ password: string }>('SELECT password FROM proxies');
    assert.equal(running.secrets.open(PROXY_PURPOSE, proxy!.password), 'hush-proxy');
    const [crawl] = await database.query<{ headers: never }>('SELECT headers FROM crawls');
    assert.deepEqual(openHeaders(running.secrets, crawl!.headers, 'https://a.example/any'), {
      authorization: 'Bearer hush-header',
    });
    assert.equal(running.secrets.keyId(), key, 'it seals with the new key at once');
    const twice = await rotateSecrets(app);
    assert.deepEqual(twice.older_keys, [key], 'the one before that is gone');
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600);
  });

  it('cut short in the middle of a rotation stay readable, and the next run goes on with the same key', async () => {
    await using app = await open();
    await fill(app);
    for (let n = 0; n < 5; n++)
      await createProxy(app, { name: `p${n}`, url: `http://me:hush@proxy.example:${8100 + n}` });
    const store = openKeyStore(app.settings);
    store.write([randomBytes(KEY_BYTES), ...store.read()]);
    const key = app.secrets.keyId();
    const all = await countStale(database, key);
    const done = await database.transaction((tx) => resealBatch(tx, app.secrets, SEALED_PLACES[0]!, undefined, 3));
    assert.deepEqual([done?.rows, await countStale(database, key)], [3, all - 3]);
    for (const { password } of await database.query<{ password: string }>('SELECT password FROM proxies'))
      assert.match(app.secrets.open(PROXY_PURPOSE, password), /^hush/);
    await using restarted = await open();
    const rest = await rotateSecrets(restarted);
    assert.deepEqual([rest.key, rest.resealed, rest.stale], [key, all - 3, 0]);
  });

  it('are sealed anew with the first of the keys in a setting', async () => {
    const [old, next] = [newKey(), newKey()];
    {
      await using app = await open({ SECRETS__KEY: old });
      await fill(app);
      assert.equal((await rotateSecrets(app)).resealed, 0, 'there is no new key yet');
    }
    {
      await using app = await open({ SECRETS__KEY: `${next},${old}` });
      assert.ok((await getSecretsState(app)).stale > 0);
      assert.equal((await rotateSecrets(app)).stale, 0);
    }
    await using app = await open({ SECRETS__KEY: next });
    assert.equal((await getSecretsState(app)).stale, 0);
    await assert.rejects(open({ SECRETS__KEY: old }), { code: 'SECRETS_KEY_WRONG' });
  });

  it('are not sealed anew by two at once', async () => {
    await using app = await open();
    await fill(app);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => rotateSecrets(app)));
    const [conflict] = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(conflict?.reason.code, 'STATE_CONFLICT');
    assert.equal((await getSecretsState(app)).stale, 0);
  });

  it('that were moved to another row or origin do not open there', async () => {
    await using app = await open();
    const headers = { authorization: 'Bearer hush' };
    const { id } = await startCrawl(app, { urls: ['https://a.example/'], options: { headers } });
    await database.query(
      `UPDATE crawls SET headers = jsonb_build_object('https://evil.example', headers -> 'https://a.example')`,
    );
    const [row] = await database.query<{ headers: never }>('SELECT headers FROM crawls WHERE id = $1', [id]);
    assert.throws(() => openHeaders(app.secrets, row!.headers, 'https://evil.example/'), { code: 'SECRET_DAMAGED' });
    assert.deepEqual(openHeaders(app.secrets, row!.headers, `https://${newId()}.example/`), {});
  });
});
