import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { claimOutbox, queueDocuments } from '../../src/db/outbox.ts';
import { createOnnxReranker } from '../../src/drivers/reranker/onnx.ts';
import { AppError } from '../../src/errors.ts';
import { newId } from '../../src/ids.ts';
import { searchDocuments } from '../../src/operations/search-documents.ts';
import { SearchRequest } from '../../src/operations/search-schema.ts';
import { indexVectors } from '../../src/pipeline/index/index-vectors.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { reconcile } from '../../src/pipeline/index/reconcile.ts';
import { makeCrossEncoder } from '../support/cross-encoder.ts';
import { createTestDatabase } from '../support/database.ts';
import { createHashEmbedder, createIndexApp, putDocument } from '../support/index-app.ts';

const ask = (query: string, over: object = {}) => SearchRequest.parse({ query, ...over });
const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected;
const PAGE = `# Heat

Heat transfer in laminar flow is well understood.

# Errors

The call failed with ECONNRESET in v2.4.1.`;

test('a document is found with its place, its highlights and its citation', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  const id = await putDocument(database, 'https://example.com/heat', PAGE, { title: 'Guide' });
  await createIndexer(app).drain();
  const answer = await searchDocuments(app, ask('laminar flows', { explain: true }));
  const [hit] = answer.results;
  assert.equal(answer.mode, 'hybrid');
  assert.equal(answer.degraded, false);
  assert.equal(hit!.document_id, id);
  assert.equal(PAGE.slice(hit!.start_char, hit!.end_char), hit!.content);
  assert.deepEqual(
    hit!.highlights.map(([start, end]) => hit!.content.slice(start, end)),
    ['laminar flow'],
  );
  assert.match(hit!.citation, /^https:\/\/example\.com\/heat#:~:text=Heat%20transfer/);
  assert.equal(hit!.source, 'fused');
  assert.ok(answer.explain);
  const exact = await searchDocuments(app, ask('ECONNRESET', { collapse: true }), 'keyword');
  assert.deepEqual(
    exact.results.map((result) => result.document_id),
    [id],
  );
});

test('a deleted document is gone at once, and comes back when it is restored', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  const id = await putDocument(database, 'https://example.com/a', 'apples are round');
  await createIndexer(app).drain();
  assert.equal((await searchDocuments(app, ask('apples'))).results.length, 1);
  await database.query('UPDATE documents SET deleted_at = now() WHERE id = $1', [id]);
  assert.equal((await searchDocuments(app, ask('apples'))).results.length, 0);
  await queueDocuments(database, [id], { action: 'delete' });
  await createIndexer(app).drain();
  assert.equal(await app.fulltext.count(), 0);
  assert.equal(await app.vectors.count(), 0);
  await database.query('UPDATE documents SET deleted_at = NULL WHERE id = $1', [id]);
  await queueDocuments(database, [id]);
  await createIndexer(app).drain();
  assert.equal((await searchDocuments(app, ask('apples'))).results.length, 1);
});

test('answers are kept until something changes; unchanged chunks keep id and vector', async () => {
  await using database = await createTestDatabase();
  const embedder = createHashEmbedder();
  await using app = await createIndexApp(database, { embedder });
  await putDocument(database, 'https://example.com/heat', PAGE);
  const indexer = createIndexer(app);
  await indexer.drain();
  const first = await searchDocuments(app, ask('laminar'));
  assert.equal(first.result_cached, false);
  const again = await searchDocuments(app, ask('  laminar '));
  assert.equal(again.result_cached, true);
  const calls = embedder.calls;
  await putDocument(database, 'https://example.com/heat', `${PAGE}\n\n# New\n\nA turbine was added to the engine.`);
  await indexer.drain();
  assert.equal(embedder.calls, calls + 1);
  const after = await searchDocuments(app, ask('laminar'));
  assert.equal(after.result_cached, false);
  assert.equal(after.results[0]!.chunk_id, first.results[0]!.chunk_id);
  assert.equal((await searchDocuments(app, ask('turbine'))).results[0]!.source, 'fused');
});

test('searches by keyword, and says so, while vectors cannot be had', async () => {
  await using database = await createTestDatabase();
  const embedder = createHashEmbedder();
  await using app = await createIndexApp(database, { embedder });
  await putDocument(database, 'https://example.com/a', 'apples are round');
  embedder.down = true;
  await createIndexer(app).drain();
  const answer = await searchDocuments(app, ask('apples'));
  assert.equal(answer.mode, 'keyword');
  assert.equal(answer.degraded, true);
  assert.match(answer.degraded_reason!, /keyword only/);
  assert.equal(answer.results.length, 1);
  await assert.rejects(searchDocuments(app, ask('apples'), 'vector'));
  embedder.down = false;
  await database.query('UPDATE outbox SET due_at = now()');
  await createIndexer(app).drain();
  assert.equal((await searchDocuments(app, ask('apples'))).mode, 'hybrid');
});

test('new text is found first before its vector is made, though nothing else matches as well by meaning', async () => {
  await using database = await createTestDatabase();
  const embedder = createHashEmbedder();
  await using app = await createIndexApp(database, { embedder });
  for (const word of ['plum', 'pear', 'grape'])
    await putDocument(database, `https://example.com/${word}`, `the ${word}`);
  await createIndexer(app).drain();
  const added = new Set<string>();
  for (let at = 0; at < 20; at++)
    added.add(await putDocument(database, `https://example.com/new/${at}`, `zebra ${'and more '.repeat(at)} ${at}`));
  embedder.down = true;
  await createIndexer(app).drain();
  embedder.down = false;
  const answer = await searchDocuments(app, ask('the zebra'));
  assert.equal(answer.mode, 'hybrid');
  const found = answer.results.map((result) => added.has(result.document_id));
  assert.deepEqual(found.slice(0, 5), Array(5).fill(true));
  assert.equal(answer.results[0]!.source, 'keyword');
});

test('the best are read again by a cross-encoder; without one, or with one that fails, the answer says so', async () => {
  await using database = await createTestDatabase();
  await using model = await makeCrossEncoder();
  await using reranker = createOnnxReranker({ path: model.folder });
  await using app = await createIndexApp(database);
  for (const text of ['apple pie', 'apple and apple, apple again', 'apple with a pear'])
    await putDocument(database, `https://example.com/${text.length}`, text);
  await createIndexer(app).drain();
  const reranked = await searchDocuments({ ...app, reranker }, ask('apple', { use_reranker: true, rerank_top_n: 3 }));
  assert.equal(reranked.reranked, true);
  assert.equal(reranked.degraded, false);
  assert.deepEqual(
    reranked.results.map((result) => result.rerank_score),
    [3, 1, 1],
  );
  const without = await searchDocuments(app, ask('apple pie', { use_reranker: true }));
  assert.deepEqual([without.reranked, without.degraded, without.results.length], [false, true, 3]);
  assert.match(without.degraded_reason!, /RERANKER__PATH/);
  const broken = { ...app, reranker: { ...reranker, rerank: async () => [Number.NaN, 1, 2] } };
  const fallen = await searchDocuments(broken, ask('apple tart', { use_reranker: true }));
  assert.match(fallen.degraded_reason!, /not reranked/);
  assert.equal(fallen.results.length, 3);
  assert.equal((await searchDocuments(broken, ask('apple tart', { use_reranker: true }))).result_cached, false);
});

test('filters, operators and expansion', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  const collection = newId();
  await database.query('INSERT INTO collections (id, name) VALUES ($1, $2)', [collection, 'fruit']);
  const inside = await putDocument(database, 'https://example.com/in', 'red apple pie', { collection_id: collection });
  const outside = await putDocument(database, 'https://example.com/out', 'green apple tart');
  const heat = await putDocument(database, 'https://example.com/heat', PAGE);
  await createIndexer(app).drain();
  const found = async (query: string, over: object = {}) =>
    (await searchDocuments(app, ask(query, { collapse: true, ...over }))).results.map((result) => result.document_id);
  assert.deepEqual(await found('apple', { collection_ids: [collection] }), [inside]);
  const others = await found('apple -pie');
  assert.equal(others[0], outside);
  assert.ok(!others.includes(inside));
  assert.deepEqual(await found('"red apple"'), [inside]);
  assert.equal((await found('apple', { domains: ['example.org'] })).length, 0);
  // A document that moved away is not shown, even before the index has heard of it.
  await database.query('UPDATE documents SET collection_id = NULL WHERE id = $1', [inside]);
  assert.deepEqual(await found('apple', { collection_ids: [collection] }), []);
  const [hit] = (await searchDocuments(app, ask('laminar', { expand: 'neighbours' }))).results;
  assert.equal(hit!.document_id, heat);
  assert.match(hit!.expanded_chunks!.join(), /ECONNRESET/);
});

test('bad input gets a code', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  await assert.rejects(searchDocuments(app, ask('  ')), code('QUERY_EMPTY'));
  await assert.rejects(searchDocuments(app, ask('a'.repeat(1_001))), code('QUERY_TOO_LONG'));
  await assert.rejects(searchDocuments(app, ask('a', { collection_ids: [newId()] })), code('NOT_FOUND'));
  await assert.rejects(searchDocuments(app, ask('a', { cursor: 'nonsense' })), code('CURSOR_INVALID'));
  const wrong = { ...app, embedder: { ...createHashEmbedder('hash@1', 8) } };
  await assert.rejects(searchDocuments(wrong, ask('apples'), 'vector'), code('DIMENSION_MISMATCH'));
  const down = { ...app.fulltext, search: () => Promise.reject(new AppError('ENGINE_DOWN', 'gone')) };
  await assert.rejects(searchDocuments({ ...app, fulltext: down }, ask('apples')), code('ENGINE_DOWN'));
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
  await app.vectors.deleteChunks([(await searchDocuments(app, ask('plums'), 'vector')).results[0]!.chunk_id]);
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
