import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueDocuments } from '../../src/db/search/outbox.ts';
import { createOnnxReranker } from '../../src/drivers/reranker/onnx.ts';
import { AppError } from '../../src/errors.ts';
import { newId } from '../../src/ids.ts';
import { deleteDocument, restoreDocument } from '../../src/operations/documents/delete-document.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { makeCrossEncoder } from '../support/cross-encoder.ts';
import { createTestDatabase } from '../support/database.ts';
import { createHashEmbedder, createIndexApp, putDocument } from '../support/index-app.ts';
import { scoreOf } from '../support/model-server.ts';

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

test('what one process changes, no other answers from its own cache', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  await using other = await createIndexApp(database, { folder: app.folder });
  const url = 'https://example.com/a';
  const id = await putDocument(database, url, 'apples are round');
  await createIndexer(app).drain();
  const found = async () => {
    const { results, result_cached } = await searchDocuments(other, ask('apples'));
    return [results.map((result) => result.content), result_cached];
  };
  assert.deepEqual(await found(), [['apples are round'], false]);
  assert.deepEqual(await found(), [['apples are round'], true]);
  await putDocument(database, url, 'apples are red');
  await createIndexer(app).drain();
  assert.deepEqual(await found(), [['apples are red'], false]);
  await deleteDocument(app, id);
  assert.deepEqual(await found(), [[], false]);
  await restoreDocument(app, id);
  await createIndexer(app).drain();
  assert.deepEqual(await found(), [['apples are red'], false]);
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
    reranked.results.map((result) => result.rerank_score?.toFixed(4)),
    [3, 1, 1].map((count) => scoreOf(count).toFixed(4)),
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
  const [alone] = (await searchDocuments(app, ask('laminar', { expand: 'section' }))).results;
  assert.deepEqual(alone!.expanded_chunks, []);
});

test('min_score leaves out what is worse; explain tells every stage', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  for (const text of ['red apple pie', 'green apple', 'plum'])
    await putDocument(database, `https://example.com/${text.length}`, text);
  await createIndexer(app).drain();
  const all = await searchDocuments(app, ask('red apple', { explain: true }));
  const scores = all.results.map((result) => result.score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  const good = await searchDocuments(app, ask('red apple', { min_score: scores[1] }));
  assert.equal(good.results.length, 2);
  assert.equal(good.total_count, 2);
  const { ms, fusion, candidates } = all.explain as { ms: object; fusion: object; candidates: number };
  assert.deepEqual(Object.keys(ms).sort(), ['embed', 'keyword', 'load', 'vector']);
  assert.deepEqual([Object.keys(fusion).sort(), candidates], [['k', 'keywordWeight', 'method', 'vectorWeight'], 3]);
  const byRank = await searchDocuments(app, ask('red apple', { rrf_k: 1 }));
  assert.equal(byRank.results[0]!.score, 1.2 / 2 + 1 / 2);
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

test('a query is kept whatever its case, and a domain is what remains of any host', async () => {
  await using database = await createTestDatabase();
  await using app = await createIndexApp(database);
  await putDocument(database, 'https://docs.example.com/pie', 'apple pie');
  await putDocument(database, 'https://other.example.org/pie', 'apple pie', { domain: 'example.org' });
  await createIndexer(app).drain();
  const first = await searchDocuments(app, ask('Apple Pie', {}));
  const again = await searchDocuments(app, ask('apple  PIE', {}));
  assert.deepEqual([first.result_cached, again.result_cached], [false, true]);
  for (const domain of ['example.com', 'docs.example.com', 'WWW.Example.com']) {
    const { results } = await searchDocuments(app, ask('apple', { domains: [domain] }));
    assert.deepEqual(
      results.map(({ url }) => url),
      ['https://docs.example.com/pie'],
      domain,
    );
  }
});
