import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadSettings } from '../../../src/config/load.ts';
import { newId } from '../../../src/ids.ts';
import { createApiKey } from '../../../src/operations/access/create-api-key.ts';
import { createIndexer } from '../../../src/pipeline/index/indexer.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { openStream, untilClosed } from '../../support/event-stream.ts';
import { createIndexApp, type IndexApp } from '../../support/index-app.ts';

const MODES = ['/search', '/search/vector', '/search/keyword'];

describe('a key bound to collections', () => {
  let api: TestApi;
  let index: IndexApp;
  const collections: Record<string, string> = {};
  const keys: Record<string, string> = {};
  const documents: Record<string, string> = {};

  before(async () => {
    const { settings } = loadSettings({ APP_ENV: 'test', LIVE__HEARTBEAT_MS: '50' });
    api = await createTestApi({ guard: createGuard([]), settings });
    index = await createIndexApp(api.app.database, { cache: api.app.cache });
    const { embedder, vectors, fulltext, openVectors } = index;
    Object.assign(api.app, { embedder, vectors, fulltext, openVectors });
    for (const name of ['a', 'b', 'empty'])
      collections[name] = (await api.ok('POST', '/collections', { name }, 201)).id;
    keys.a = await keyOf(['a']);
    keys.both = await keyOf(['a', 'b']);
    for (const [name, collection] of [
      ['one', 'a'],
      ['two', 'b'],
      ['three', undefined],
    ] as const)
      documents[name] = await upload(
        `https://docs.example/${name}`,
        `The heron of ${name} waits at the shore.`,
        collection,
      );
    await createIndexer(index).drain();
  });
  after(async () => {
    await index[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  const keyOf = async (names: string[], scope: 'read' | 'write' | 'admin' = 'write') =>
    (
      await createApiKey(api.app, {
        name: names.join('+'),
        scopes: [scope],
        rate_limit_rpm: 100_000,
        collections: names.map((name) => collections[name]!),
      })
    ).key;
  const upload = async (url: string, content: string, collection?: string): Promise<string> =>
    (
      await api.ok(
        'POST',
        '/documents',
        { url, content, ...(collection === undefined ? {} : { collection_id: collections[collection] }) },
        201,
      )
    ).id;
  const send = (key: string | undefined, method: string, path: string, body?: object) =>
    api.call(method, path, body, { authorization: `Bearer ${key ?? api.keys.admin}` });
  /** The documents a search finds, by name. */
  const search = async (key: string | undefined, body: object = {}, path = '/search') => {
    const answer = await send(key, 'POST', path, { query: 'heron', ...body });
    assert.equal(answer.status, 200, answer.text);
    const named = Object.entries(documents);
    return answer.body.results
      .map(({ document_id }: { document_id: string }) => named.find(([, id]) => id === document_id)?.[0] ?? document_id)
      .sort();
  };

  it('finds what is in them, whatever it asks for', async () => {
    for (const path of MODES) {
      assert.deepEqual(await search(undefined, {}, path), ['one', 'three', 'two'], path);
      assert.deepEqual(await search(keys.a, {}, path), ['one'], path);
      assert.deepEqual(await search(keys.both, {}, path), ['one', 'two'], path);
      assert.deepEqual(await search(keys.both, { collection_ids: [collections.b] }, path), ['two'], path);
      for (const filter of [{ document_ids: [documents.two] }, { filters: { domains: ['docs.example'] } }])
        assert.ok(!(await search(keys.a, filter, path)).includes('two'), path);
      for (const named of [
        { collection_ids: [collections.b] },
        { filters: { collection_ids: [collections.a, collections.b] } },
      ]) {
        const refused = await send(keys.a, 'POST', path, { query: 'heron', ...named });
        assert.deepEqual([refused.status, refused.body.details], [403, { collection_id: collections.b }]);
      }
    }
  });

  it('shares no kept answer with anybody who sees more', async () => {
    const body = { query: 'shore', limit: 1 };
    const all = await send(undefined, 'POST', '/search', body);
    assert.equal((await send(undefined, 'POST', '/search', body)).body.result_cached, true);
    const own = await send(keys.a, 'POST', '/search', body);
    assert.deepEqual([own.body.result_cached, own.body.total_count, own.body.next_cursor], [false, 1, null]);
    assert.equal((await send(keys.a, 'POST', '/search', body)).body.results[0].document_id, documents.one);
    assert.equal((await send(undefined, 'POST', '/search', body)).body.total_count, 3);
    // A place in the list of another caller leads nowhere.
    const further = await send(keys.a, 'POST', '/search', { ...body, cursor: all.body.next_cursor });
    assert.equal(further.body.code, 'CURSOR_INVALID');
  });

  it('hears nothing of near-duplicates elsewhere', async () => {
    const text = 'The bittern booms in the reeds at dusk, and nobody sees it.';
    const [here, there] = [
      await upload('https://dup.example/1', text, 'a'),
      await upload('https://dup.example/2', text, 'b'),
    ];
    const group = newId();
    await api.app.database.query('UPDATE documents SET duplicate_group = $1 WHERE id = ANY ($2)', [
      group,
      [here, there],
    ]);
    await createIndexer(index).drain();
    const ask = async (key?: string) =>
      (await send(key, 'POST', '/search/keyword', { query: 'bittern', duplicates: 'list', expand: 'section' })).body
        .results;
    assert.deepEqual([(await ask()).length, (await ask())[0].duplicate_count], [1, 1]);
    const [hit, ...rest] = await ask(keys.a);
    assert.deepEqual([hit.document_id, hit.duplicate_count, hit.duplicate_urls, rest], [here, 0, [], []]);
  });

  it('loses a document that is moved out at once, before the index knows', async () => {
    const id = await upload('https://docs.example/moving', 'The osprey of the lake.', 'a');
    await createIndexer(index).drain();
    const ask = (key: string) => search(key, { query: 'osprey' }, '/search/keyword');
    assert.deepEqual(await ask(keys.a!), [id]);
    await api.ok('PATCH', `/documents/${id}`, { collection_id: collections.b });
    assert.deepEqual([await ask(keys.a!), await ask(await keyOf(['a'], 'read'))], [[], []]);
    for (const path of ['', '/chunks'])
      assert.equal((await send(keys.a, 'GET', `/documents/${id}${path}`)).status, 404);
    assert.equal((await send(keys.both, 'GET', `/documents/${id}`)).status, 200);
    await api.ok('DELETE', `/documents/${id}`, undefined, 204);
  });

  it('uploads into them, and takes no address that a document elsewhere has', async () => {
    const content = 'A note.';
    const made = await send(keys.a, 'POST', '/documents', { content });
    assert.equal((await send(keys.a, 'GET', `/documents/${made.body.id}`)).body.collection_id, collections.a);
    const several = await send(keys.both, 'POST', '/documents', { content });
    assert.deepEqual(Object.keys(several.body.details), ['body.collection_id']);
    for (const name of ['two', 'three']) {
      const taken = await send(keys.a, 'POST', '/documents', { content, url: `https://docs.example/${name}` });
      assert.equal(taken.body.code, 'CONFLICT');
      assert.match((await api.ok('GET', `/documents/${documents[name]}`)).content, /heron/);
    }
    const id = made.body.id;
    for (const collection_id of [null, collections.b])
      assert.equal((await send(keys.a, 'PATCH', `/documents/${id}`, { collection_id })).status, 403);
    assert.equal((await send(keys.both, 'PATCH', `/documents/${id}`, { collection_id: collections.b })).status, 200);
    const listed = (await send(keys.a, 'GET', '/documents?limit=200')).body.items;
    assert.ok(
      listed.length > 0 && listed.every((item: { collection_id: string }) => item.collection_id === collections.a),
    );
  });

  it('crawls into them, without the configs of others, and sees these crawls alone', async () => {
    const urls = ['https://crawl.example/'];
    const own = await send(keys.a, 'POST', '/crawl', { urls });
    assert.deepEqual([own.status, own.body.collection_id], [202, collections.a]);
    assert.equal((await send(keys.both, 'POST', '/crawl', { urls })).body.code, 'VALIDATION_FAILED');
    const config = await api.ok('POST', '/configs', { name: 'with a key', options: { max_age_s: 5 } }, 201);
    assert.equal((await send(keys.a, 'POST', '/crawl', { urls, config_id: config.id })).body.code, 'NOT_FOUND');
    const elsewhere = await api.ok('POST', '/crawl', { urls, collection_id: collections.b }, 202);
    const nowhere = await api.ok('POST', '/crawl', { urls }, 202);
    const listed = (await send(keys.a, 'GET', '/crawls')).body.items.map(({ id }: { id: string }) => id);
    assert.deepEqual(listed, [own.body.id]);
    for (const { id } of [elsewhere, nowhere])
      assert.equal((await send(keys.a, 'POST', `/crawl/${id}/cancel`)).status, 404);
    assert.equal((await send(keys.a, 'POST', `/crawl/${own.body.id}/cancel`)).status, 200);
    const rows = await api.app.database.query<{ is_bound: boolean }>('SELECT is_bound FROM crawls ORDER BY id');
    assert.deepEqual(
      rows.map(({ is_bound }) => is_bound),
      [true, false, false],
    );
  });

  it('lists of a crawl only the documents that are in them', async () => {
    const url = 'https://crawl.example/page';
    const crawl = (await send(keys.a, 'POST', '/crawl', { urls: [url] })).body.id;
    await upload(url, 'Of another collection.', 'b');
    await api.app.database.query(`UPDATE tasks SET status = 'completed' WHERE crawl_id = $1`, [crawl]);
    assert.equal((await api.ok('GET', `/crawl/${crawl}/documents`)).items.length, 1);
    assert.deepEqual((await send(keys.a, 'GET', `/crawl/${crawl}/documents`)).body.items, []);
  });

  it('is ended as a listener when it is bound elsewhere', async () => {
    const { origin } = await listen(api.server, { host: '127.0.0.1', port: 0 });
    const { id, key } = await createApiKey(api.app, {
      name: 'listener',
      scopes: ['write'],
      rate_limit_rpm: 1_000,
      collections: [collections.a!],
    });
    const crawl = (await send(key, 'POST', '/crawl', { urls: ['https://crawl.example/live'] })).body.id;
    const stream = await openStream(origin, `/crawl/${crawl}/stream`, key);
    await stream.until(({ length }) => length > 0);
    await api.ok('PATCH', `/api-keys/${id}`, { collections: [collections.b] });
    await untilClosed(stream);
    assert.equal((await send(key, 'GET', `/crawl/${crawl}`)).status, 404);
  });

  it('sees nothing when its collection is gone, and never everything', async () => {
    const key = await keyOf(['empty'], 'admin');
    assert.equal((await send(key, 'GET', '/documents')).status, 200);
    await api.ok('DELETE', `/collections/${collections.empty}`, undefined, 204);
    for (const [method, path, body] of [
      ['GET', '/documents'],
      ['GET', '/crawls'],
      ['GET', '/collections'],
      ['POST', '/search', { query: 'heron' }],
      ['POST', '/crawl', { urls: ['https://crawl.example/'] }],
    ] as const)
      assert.equal((await send(key, method, path, body)).body.code, 'FORBIDDEN', path);
    assert.deepEqual((await send(key, 'GET', '/auth/me')).body.collections, []);
    assert.equal((await send(key, 'GET', '/domains')).status, 403);
  });
});
