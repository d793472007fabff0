import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { claimOutbox, countOutbox, queueDocuments } from '../../src/db/search/outbox.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { indexVectors } from '../../src/pipeline/index/index-vectors.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { reconcile } from '../../src/pipeline/index/reconcile.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/engine.ts';
import { createHashEmbedder, createIndexApp, putDocument } from '../support/index-app.ts';

const ask = (query: string, over: object = {}) => SearchRequest.parse({ query, ...over });

test('the same text under another address is not embedded again', async () => {
  await using database = await createTestDatabase();
  const embedder = createHashEmbedder();
  await using app = await createIndexApp(database, { embedder });
  for (const name of ['a', 'b']) {
    await putDocument(database, `https://example.com/${name}`, 'apples are round');
    await createIndexer(app).drain();
  }
  assert.equal(embedder.calls, 1);
  assert.equal(await app.vectors.count(), 2);
});

test('an urgent document is embedded before everything that waits', async () => {
  await using database = await createTestDatabase();
  const embedder = createHashEmbedder();
  const order: string[] = [];
  const watched = {
    ...embedder,
    embed: (texts: readonly string[]) => {
      order.push(...texts);
      return embedder.embed(texts, 'document');
    },
  };
  await using app = await createIndexApp(database, { embedder: watched });
  for (let at = 0; at < 40; at++) await putDocument(database, `https://example.com/${at}`, `one of many, ${at}`);
  await putDocument(database, 'https://example.com/urgent', 'an upload', { priority: 2 });
  await createIndexer(app).drain();
  assert.equal(order.length, 41);
  assert.ok(order.indexOf('an upload') < 16);
});

test('text of a crawl gives way after each batch; what somebody waits for does not', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  for (const [priority, ways] of [
    [5, 3],
    [2, 0],
  ] as const) {
    for (let at = 0; at < 40; at++)
      await putDocument(database, `https://example.com/${priority}/${at}`, `one of many, ${at}`, { priority });
    const worked: number[] = [];
    const stop = new AbortController();
    const giveWay = async (ms: number) => void worked.push(ms);
    const running = createIndexer(app, { pollMs: 10, giveWay }).run(stop.signal);
    try {
      await eventually(
        () => countOutbox(database),
        ({ text, vector }) => text + vector === 0,
      );
    } finally {
      stop.abort();
      await running;
    }
    assert.equal(worked.length, ways, `priority ${priority}`);
    assert.ok(worked.every((ms) => ms > 0));
  }
});

test('another model is built beside the old one, which answers until the last vector is there', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  await putDocument(database, 'https://example.com/a', 'apples are round');
  await createIndexer(app).drain();
  const next = createHashEmbedder('hash@2', 16);
  await using changed = await createIndexApp(database, {
    embedder: next,
    folder: app.folder,
    fulltext: app.fulltext,
    openEmbedder: () => app.embedder,
  });
  next.down = true;
  await createIndexer(changed).drain();
  const during = await searchDocuments(changed, ask('apples', { explain: true }));
  assert.equal(during.mode, 'hybrid');
  assert.equal(during.explain!.model, 'hash@1');
  next.down = false;
  await database.query('UPDATE outbox SET due_at = now()');
  await createIndexer(changed).drain();
  const after = await searchDocuments(changed, ask('apples', { explain: true }));
  assert.equal(after.explain!.model, 'hash@2');
  assert.equal(after.mode, 'hybrid');
  const tables = await readdir(app.folder);
  assert.equal(tables.filter((name) => name.includes('hash_1')).length, 0, 'the old vectors take no room');
});

test('what an older release indexed is indexed again when words become other terms, and only then', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  await putDocument(database, 'https://example.com/a', 'apples are round');
  await createIndexer(app).drain();
  for (const change of [undefined, `UPDATE settings SET value = '0' WHERE key = 'index_terms'`]) {
    if (change !== undefined) await database.query(change);
    const [chunk] = (await searchDocuments(app, ask('apples'), 'vector')).results;
    await app.fulltext.deleteDocuments([chunk!.document_id]);
    await createIndexer(app).drain();
    assert.equal(await app.fulltext.count(), change === undefined ? 0 : 1);
  }
});

test('while another model takes over, reconcile leaves the old vectors, which still answer, alone', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  for (const word of ['apples', 'pears', 'plums']) await putDocument(database, `https://example.com/${word}`, word);
  await createIndexer(app).drain();
  const next = createHashEmbedder('hash@2', 16);
  await using changed = await createIndexApp(database, { embedder: next, folder: app.folder, fulltext: app.fulltext });
  // Only one document has its new vector so far.
  next.down = true;
  await createIndexer(changed).drain();
  next.down = false;
  await database.query('UPDATE outbox SET due_at = now() WHERE id = (SELECT min(id) FROM outbox)');
  await indexVectors(changed, await claimOutbox(database, { stage: 'vector', worker: 'w', limit: 1, leaseS: 60 }));
  const none = { missing: 0, orphaned: 0 };
  const found = await reconcile(changed, true);
  assert.deepEqual([found.fulltext, found.vectors, found.waiting], [none, none, 2]);
  assert.equal(await app.vectors.count(), 3);
  assert.equal((await searchDocuments(app, ask('plums'), 'vector')).results.length, 3);
  const [old] = await database.query<{ id: string }>('SELECT id FROM chunks WHERE embedding_model <> $1', [next.model]);
  await app.vectors.deleteChunks([old!.id]);
  assert.deepEqual((await reconcile(changed, false)).vectors, { missing: 1, orphaned: 0 });
});

test('what is still to be done is no difference', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  const id = await putDocument(database, 'https://example.com/a', 'apples are round');
  await createIndexer(app).drain();
  await database.query('UPDATE documents SET deleted_at = now() WHERE id = $1', [id]);
  const differences = async () => (await reconcile(app, false)).fulltext;
  assert.deepEqual(await differences(), { missing: 0, orphaned: 1 });
  await queueDocuments(database, [id], { action: 'delete' });
  assert.deepEqual(await differences(), { missing: 0, orphaned: 0 });
  await createIndexer(app).drain();
  assert.deepEqual(await differences(), { missing: 0, orphaned: 0 });
});

test('reconcile finds and repairs differences both ways', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  const a = await putDocument(database, 'https://example.com/a', 'apples are round');
  await putDocument(database, 'https://example.com/b', 'pears are not');
  const indexer = createIndexer(app);
  await indexer.drain();
  const none = { missing: 0, orphaned: 0 };
  assert.deepEqual(await reconcile(app, false), {
    chunks: 2,
    waiting: 0,
    fulltext: none,
    vectors: none,
    repaired: false,
  });
  await app.fulltext.deleteDocuments([a]);
  await app.vectors.deleteDocuments([a]);
  await database.query(`DELETE FROM documents WHERE url LIKE '%/b'`);
  const broken = await reconcile(app, true);
  assert.deepEqual(
    [broken.fulltext, broken.vectors],
    [
      { missing: 1, orphaned: 1 },
      { missing: 1, orphaned: 1 },
    ],
  );
  await indexer.drain();
  const mended = await reconcile(app, false);
  assert.deepEqual([mended.fulltext, mended.vectors, mended.waiting], [none, none, 0]);
  assert.equal((await searchDocuments(app, ask('apples'))).results[0]!.document_id, a);
});
