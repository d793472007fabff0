import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createPostgresDatabase } from '../../../src/drivers/database/postgres.ts';
import type { Database } from '../../../src/ports/database.ts';
import { createServer } from '../../../src/surfaces/http/server.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('answers that are kept', () => {
  let api: TestApi;
  let own: Database;
  let other: FastifyInstance;
  let lists = 0;
  before(async () => {
    api = await createTestApi();
    own = await createPostgresDatabase({ url: api.app.database.url, poolSize: 3 });
    const query: Database['query'] = (text, values) => {
      if (/FROM documents/.test(text)) lists++;
      return own.query(text, values);
    };
    other = createServer({ ...api.app, database: Object.assign(Object.create(own), { query }) });
  });
  after(async () => {
    await other.close();
    await own[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  const ask = async (url = '/documents', key = api.keys.read) => {
    const headers = { authorization: `Bearer ${key}` };
    const { statusCode, payload } = await other.inject({ method: 'GET', url: `/api/v1${url}`, headers });
    return { status: statusCode, body: JSON.parse(payload) };
  };
  const upload = (name: string) =>
    api.ok('POST', '/documents', { url: `https://example.com/${name}`, content: `Words of ${name}.` }, 201);

  it('are read once while nothing changes, for each caller and each request', async () => {
    await upload('first');
    await ask();
    const before = lists;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    for (const { status, body } of answers) assert.deepEqual([status, body.items.length], [200, 1]);
    assert.equal(lists, before, 'the same request of the same caller');
    await ask('/documents?limit=5');
    await ask('/documents', api.keys.write);
    assert.equal(lists, before + 2);
  });

  it('show every write that another process has acknowledged, at once', async () => {
    for (let count = 2; count <= 25; count++) {
      const busy = Array.from({ length: 3 }, () => ask());
      const { id } = await upload(String(count));
      const { body } = await ask();
      assert.equal(body.items[0].id, id);
      if (count % 5 === 0) {
        await api.ok('DELETE', `/documents/${id}`, undefined, 204);
        assert.notEqual((await ask()).body.items[0].id, id);
      }
      await Promise.all(busy);
    }
  });

  it('are not given to a caller who may not ask, and refusals are not kept', async () => {
    await ask();
    assert.equal((await ask('/documents', 'c4r_wrong')).status, 401);
    for (let count = 0; count < 2; count++) {
      const { status, body } = await ask('/documents?limit=none');
      assert.deepEqual([status, body.code], [400, 'VALIDATION_FAILED']);
    }
    const missing = '/crawl/01920000-0000-7000-8000-000000000000';
    for (let count = 0; count < 2; count++) assert.equal((await ask(missing)).body.code, 'NOT_FOUND');
  });

  it('of deep and of huge bodies are refused as ever', async () => {
    const send = (payload: string) =>
      other.inject({
        method: 'POST',
        url: '/api/v1/search',
        headers: { authorization: `Bearer ${api.keys.read}`, 'content-type': 'application/json' },
        payload,
      });
    for (const depth of [1_000, 100_000, 1_000_000])
      assert.equal((await send(`{"query":${'['.repeat(depth)}${']'.repeat(depth)}}`)).statusCode, 400, `${depth} deep`);
    assert.equal((await send(JSON.stringify({ query: 'x'.repeat(1_000_000) }))).statusCode, 400);
  });
});
