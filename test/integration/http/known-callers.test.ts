import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createPostgresDatabase } from '../../../src/drivers/database/postgres.ts';
import type { Database } from '../../../src/ports/database.ts';
import { createServer } from '../../../src/surfaces/http/server.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { until } from '../../support/instance.ts';

/** A database that counts the queries that look a caller up, can hold their results back, and can stop to hear notices. */
function watched(database: Database) {
  const state = { lookups: 0, deaf: false, hold: undefined as Promise<void> | undefined };
  const query: Database['query'] = async (text, values) => {
    if (!/WHERE k\.key_hash|FROM sessions s JOIN/.test(text)) return database.query(text, values);
    state.lookups++;
    const rows = await database.query<never>(text, values);
    await state.hold;
    return rows;
  };
  const listen: Database['listen'] = (channel, onNotice) =>
    database.listen(channel, (payload) => (state.deaf ? undefined : onNotice(payload)));
  return { state, database: Object.assign(Object.create(database), { query, listen }) as Database };
}

describe('callers that are known', () => {
  let api: TestApi;
  let other: ReturnType<typeof watched> & { server: FastifyInstance; close(): Promise<void> };
  let clock = 1_000_000_000_000;
  before(async () => {
    api = await createTestApi({}, { now: () => clock });
    const own = await createPostgresDatabase({ url: api.app.database.url, poolSize: 3 });
    const { state, database } = watched(own);
    const server = createServer({ ...api.app, database }, { now: () => clock });
    const close = async () => {
      await server.close();
      await own[Symbol.asyncDispose]();
    };
    other = { state, database, server, close };
  });
  after(async () => {
    await other.close();
    await api[Symbol.asyncDispose]();
  });

  /** Each key comes from an address of its own: refusals count against the address. */
  const ask = async (server: FastifyInstance, key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const remoteAddress = `203.0.113.${addresses.get(key)}`;
    return (await server.inject({ method: 'GET', url: '/api/v1/tags', headers, remoteAddress })).statusCode;
  };
  const addresses = new Map<string, number>();
  const makeKey = async (more: object = {}): Promise<{ id: string; key: string }> => {
    const wanted = { name: 'k', scopes: ['read'], rate_limit_rpm: 100_000, ...more };
    const { body } = await api.call('POST', '/api-keys', wanted);
    addresses.set(body.key, addresses.size + 1);
    return body;
  };
  /** Asks until the answer comes without a lookup. */
  const warm = async (key: string) =>
    until(async () => {
      const before = other.state.lookups;
      assert.equal(await ask(other.server, key), 200);
      return other.state.lookups === before;
    }, 10_000);

  it('cost no query', async () => {
    const { key } = await makeKey();
    await warm(key);
    const before = other.state.lookups;
    for (let count = 0; count < 50; count++) assert.equal(await ask(other.server, key), 200);
    assert.equal(other.state.lookups, before);
  });

  const revoke = async (id: string) => {
    const headers = { authorization: `Bearer ${api.keys.admin}` };
    const answer = await other.server.inject({ method: 'DELETE', url: `/api/v1/api-keys/${id}`, headers });
    assert.equal(answer.statusCode, 204);
  };

  it('are refused at once by the process that revoked them, without any notice', async () => {
    const { id, key } = await makeKey();
    await warm(key);
    other.state.deaf = true;
    try {
      await revoke(id);
      assert.equal(await ask(other.server, key), 401);
    } finally {
      other.state.deaf = false;
    }
  });

  it('are not kept when they were revoked while they were looked up', async () => {
    await warm((await makeKey()).key);
    const { id, key } = await makeKey();
    const { promise, resolve } = Promise.withResolvers<void>();
    other.state.deaf = true;
    try {
      const before = other.state.lookups;
      other.state.hold = promise;
      const early = ask(other.server, key);
      await until(() => other.state.lookups > before, 10_000);
      other.state.hold = undefined;
      await revoke(id);
      resolve();
      assert.equal(await early, 200, 'it came before');
      assert.equal(await ask(other.server, key), 401);
    } finally {
      resolve();
      Object.assign(other.state, { deaf: false, hold: undefined });
    }
  });

  it('are refused by the other processes as soon as the notice arrives, whoever made the change', async () => {
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => api.call('DELETE', `/api-keys/${id}`),
      (id) => api.app.database.query('UPDATE api_keys SET is_active = false WHERE id = $1', [id]),
      (id) => api.app.database.query('DELETE FROM api_keys WHERE id = $1', [id]),
    ];
    for (const change of changes) {
      const { id, key } = await makeKey();
      await warm(key);
      await change(id);
      // The clock stands still: nothing expires by itself.
      await until(async () => (await ask(other.server, key)) === 401, 10_000);
    }
  });

  it('are refused after five seconds where the notice was lost', async () => {
    const { id, key } = await makeKey();
    await warm(key);
    other.state.deaf = true;
    try {
      await api.call('DELETE', `/api-keys/${id}`);
      assert.equal(await ask(other.server, key), 200);
      clock += 5_001;
      assert.equal(await ask(other.server, key), 401);
    } finally {
      other.state.deaf = false;
    }
  });

  it('end when their key expires, to the moment', async () => {
    clock = Date.now();
    const ends = clock + 3_600_000;
    const { key } = await makeKey({ expires_at: new Date(ends).toISOString() });
    await warm(key);
    // To the database it is still good; the process decides by what it knows.
    const before = other.state.lookups;
    clock = ends - 1_000;
    await ask(other.server, key);
    await ask(other.server, key);
    assert.equal(other.state.lookups, before + 1, 'kept for the last second');
    clock = ends;
    await ask(other.server, key);
    assert.equal(other.state.lookups, before + 2, 'and looked up at its end');
  });

  it('of a use that is only noted are not looked up again', async () => {
    clock = Date.now();
    const { key, id } = await makeKey();
    await warm(key);
    const { promise: marked, resolve } = Promise.withResolvers<void>();
    await using _ = await other.database.listen('mark', () => resolve());
    await api.app.database.query('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [id]);
    // Notices arrive in order: once this one is there, none of the update can follow.
    await api.app.database.query(`SELECT pg_notify('mark', '')`);
    await marked;
    const before = other.state.lookups;
    assert.equal(await ask(other.server, key), 200);
    assert.equal(other.state.lookups, before);
  });
});
