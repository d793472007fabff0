import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('Idempotency-Key', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api[Symbol.asyncDispose]());
  const make = (key: string, body: object, headers = {}) =>
    api.call('POST', '/collections', body, { 'idempotency-key': key, ...headers });

  it('the same key and body get the same answer, once', async () => {
    const first = await make('one', { name: 'once', description: 'd' });
    const again = await make('one', { description: 'd', name: 'once' });
    assert.equal(first.status, 201, first.text);
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal(first.headers['idempotency-replayed'], undefined);
  });

  it('another body under the same key is refused', async () => {
    await make('two', { name: 'two' });
    const other = await make('two', { name: 'another' });
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_MISMATCH']);
  });

  it('requests at the same time make one thing', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => make('three', { name: 'three' })));
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    assert.ok(answers.every(({ status }) => status === 201));
  });

  it('a failure is not kept', async () => {
    assert.equal((await make('four', { name: 'once' })).status, 409);
    const row = await api.call('GET', '/collections?limit=200');
    const taken = row.body.items.find((item: { name: string }) => item.name === 'once');
    await api.call('DELETE', `/collections/${taken.id}`);
    assert.equal((await make('four', { name: 'once' })).status, 201);
  });

  it('callers do not see each other', async () => {
    const mine = await make('five', { name: 'five' });
    const theirs = await make('five', { name: 'five b' }, { authorization: `Bearer ${api.keys.write}` });
    assert.equal(theirs.status, 201);
    assert.notEqual(theirs.body.id, mine.body.id);
  });

  it('an answer with a secret is repeated to its caller and cannot be read in the database', async () => {
    const create = () => api.call('POST', '/api-keys', { name: 'sealed' }, { 'idempotency-key': 'six' });
    const [first, again] = [await create(), await create()];
    assert.equal(again.body.key, first.body.key);
    assert.match(first.body.key, /^c4r_/);
    const rows = await api.app.database.query('SELECT response::text FROM idempotency_keys');
    assert.ok(!JSON.stringify(rows).includes(first.body.key));
  });

  it('a key of the wrong size is refused', async () => {
    assert.equal((await make('x'.repeat(256), { name: 'long' })).body.code, 'VALIDATION_FAILED');
  });
});
