import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { App } from '../../src/app.ts';
import { Settings } from '../../src/config/settings.ts';
import { insertCollection } from '../../src/db/organise/collections.ts';
import { AppError } from '../../src/errors.ts';
import { newId } from '../../src/ids.ts';
import { deleteDocument, restoreDocument } from '../../src/operations/documents/delete-document.ts';
import { getDocument } from '../../src/operations/documents/get-document.ts';
import { listDocumentChunks } from '../../src/operations/documents/list-document-chunks.ts';
import { ListDocumentsInput, listDocuments } from '../../src/operations/documents/list-documents.ts';
import { moveDocument } from '../../src/operations/documents/move-document.ts';
import { tagDocument, untagDocument } from '../../src/operations/documents/tag-document.ts';
import {
  UploadDocumentInput,
  UploadDocumentsInput,
  uploadDocument,
  uploadDocuments,
} from '../../src/operations/documents/upload-document.ts';
import { ListQuery } from '../../src/operations/paging.ts';
import { ReindexInput, reindex } from '../../src/operations/search/reindex.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { createExtractPool } from '../../src/pipeline/extract/pool.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import type { Database } from '../../src/ports/database.ts';
import { purgeDeletedDocuments } from '../../src/scheduler/purge-documents.ts';
import { createTestDatabase } from '../support/database.ts';
import { makePdf, onePage, packBomb, stream } from '../support/hostile-pdf.ts';
import { createHashEmbedder, createIndexApp } from '../support/index-app.ts';

const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected;
const open = async (database: Database, embedder = createHashEmbedder()) => {
  const app = await createIndexApp(database, { embedder });
  return Object.assign(app, {
    settings: { ...Settings.parse({}), ...app.settings },
    extractor,
  }) as unknown as App;
};
const extractor = createExtractPool({ threads: 1, timeoutMs: 20_000, memoryMb: 128 });
after(() => extractor[Symbol.asyncDispose]());
const upload = (app: App, over: object) => uploadDocument(app, UploadDocumentInput.parse({ content: 'text', ...over }));
const find = async (app: App, query: string, over: object = {}) =>
  (await searchDocuments(app, SearchRequest.parse({ query, collapse: true, ...over }), 'keyword')).results.map(
    (result) => result.document_id,
  );

test('an upload becomes a document with chunks; the same again is no new version', async () => {
  await using database = await createTestDatabase();
  await using app = await open(database);
  const first = await upload(app, {
    url: 'notes/one',
    title: 'Notes',
    content: '# Plan\n\nBuy apples.',
    tags: ['Todo'],
  });
  assert.deepEqual([first.url, first.version, first.created, first.changed], ['upload:notes/one', 1, true, true]);
  await createIndexer(app).drain();
  const again = await upload(app, { url: 'notes/one', title: 'Notes', content: '# Plan\n\nBuy apples.' });
  assert.deepEqual([again.id, again.version, again.created, again.changed], [first.id, 1, false, false]);
  const changed = await upload(app, { url: 'notes/one', title: 'Notes', content: '# Plan\n\nBuy pears.' });
  assert.deepEqual([changed.id, changed.version, changed.changed], [first.id, 2, true]);
  await createIndexer(app).drain();
  const document = await getDocument(app, first.id);
  assert.equal(document.indexed, true);
  assert.deepEqual(
    document.tags.map((tag) => tag.name),
    ['todo'],
  );
  const { items, total } = await listDocumentChunks(app, first.id, ListQuery.parse({}));
  assert.equal(items.length, total);
  assert.equal(items[0]?.section_header, 'Plan');
  assert.deepEqual(document.crawled_at, document.fetched_at);
  for (const chunk of items) assert.equal(document.content.slice(chunk.start_char, chunk.end_char), chunk.content);
  assert.deepEqual(await find(app, 'pears'), [first.id]);
  assert.deepEqual(await find(app, 'apples'), []);
});

test('whatever is uploaded is read in the pool', async () => {
  await using database = await createTestDatabase();
  await using app = await open(database);
  const read: (string | undefined)[] = [];
  const counting = Object.assign(Object.create(extractor), {
    extract: (...args: Parameters<typeof extractor.extract>) => {
      read.push(args[0].contentType?.split(';')[0]);
      return extractor.extract(...args);
    },
  });
  const types = ['text/plain', 'text/markdown', 'text/html'];
  for (const content_type of types)
    await upload({ ...app, extractor: counting }, { content: 'Some words.', content_type });
  assert.deepEqual(read, types);
});

test('an upload that unpacks to more than there is ends with its own code', async () => {
  await using database = await createTestDatabase();
  await using app = await open(database);
  const pdf = makePdf(onePage(stream('/Filter [/FlateDecode /FlateDecode]', await packBomb(1_500))));
  const sent = { content: undefined, content_base64: pdf.toString('base64'), content_type: 'application/pdf' };
  await assert.rejects(upload(app, sent), code('PARSE_MEMORY'));
});

test('HTML, text and a batch with one that cannot be read', async () => {
  await using database = await createTestDatabase();
  await using app = await open(database);
  const answer = await uploadDocuments(
    app,
    UploadDocumentsInput.parse({
      documents: [
        { url: 'https://example.com/a#x', content: '<h1>Turbines</h1><p>They spin.</p>', content_type: 'text/html' },
        { content: 'Plain words about boilers.', content_type: 'text/plain' },
        { content_base64: Buffer.from('no pdf').toString('base64'), content_type: 'application/pdf' },
        { content: '   ' },
      ],
    }),
  );
  assert.deepEqual([answer.uploaded, answer.failed], [2, 2]);
  assert.deepEqual(
    answer.documents.slice(2).map((entry) => 'code' in entry && entry.code),
    ['CONTENT_TYPE_UNSUPPORTED', 'VALIDATION_FAILED'],
  );
  await createIndexer(app).drain();
  assert.equal((await find(app, 'turbine spins')).length, 1);
  assert.equal((await find(app, 'boiler', { domains: ['upload'] })).length, 1);
  assert.throws(() => UploadDocumentsInput.parse({ documents: Array(51).fill({ content: 'x' }) }));
  assert.throws(() => UploadDocumentInput.parse({ url: 'x' }));
  await assert.rejects(upload(app, { collection_id: newId() }), code('NOT_FOUND'));
});

test('tags and collections are filters at once after the next pass, without new vectors', async () => {
  await using database = await createTestDatabase();
  const embedder = createHashEmbedder();
  await using app = await open(database, embedder);
  const collection = await insertCollection(database, { id: newId(), name: 'fruit', description: null });
  const { id } = await upload(app, { content: 'red apple pie' });
  await createIndexer(app).drain();
  const calls = embedder.calls;
  const tagged = await tagDocument(app, id, { tags: ['sweet'] });
  await moveDocument(app, id, { collection_id: collection.id });
  await createIndexer(app).drain();
  assert.deepEqual(await find(app, 'apple', { tags: ['sweet'], collection_ids: [collection.id] }), [id]);
  const byVector = await searchDocuments(app, SearchRequest.parse({ query: 'apple', tags: ['sweet'] }), 'vector');
  assert.equal(byVector.results[0]!.document_id, id);
  await untagDocument(app, id, tagged.tags[0]!.id);
  await createIndexer(app).drain();
  assert.deepEqual(await find(app, 'apple', { tags: ['sweet'] }), []);
  await assert.rejects(untagDocument(app, id, newId()), code('NOT_FOUND'));
  await assert.rejects(moveDocument(app, id, { collection_id: newId() }), code('NOT_FOUND'));
  assert.equal(embedder.calls, calls + 1);
});

test('deleted documents are listed apart, can be restored, and are reindexed on request', async () => {
  await using database = await createTestDatabase();
  const embedder = createHashEmbedder();
  await using app = await open(database, embedder);
  const { id } = await upload(app, { content: 'red apple pie' });
  await createIndexer(app).drain();
  await deleteDocument(app, id);
  await deleteDocument(app, id);
  assert.deepEqual(await find(app, 'apple'), []);
  const list = async (over: object) =>
    (await listDocuments(app, ListDocumentsInput.parse(over))).items.map((document) => document.id);
  assert.deepEqual(await list({}), []);
  assert.deepEqual(await list({ deleted: 'true' }), [id]);
  await createIndexer(app).drain();
  await restoreDocument(app, id);
  await createIndexer(app).drain();
  assert.deepEqual(await find(app, 'apple'), [id]);
  assert.deepEqual(await list({ source: 'upload', domain: 'upload' }), [id]);
  await deleteDocument(app, id);
  assert.equal(await purgeDeletedDocuments(app), 0);
  await restoreDocument(app, id);
  await createIndexer(app).drain();
  for (const scope of [{ scope: 'all' }, { scope: 'document', id }])
    assert.equal((await reindex(app, ReindexInput.parse(scope))).queued, 1);
  await createIndexer(app).drain();
  await assert.rejects(reindex(app, ReindexInput.parse({ scope: 'collection', id: newId() })), code('NOT_FOUND'));
  for (const wrong of [{ scope: 'document' }, { scope: 'collection' }, { scope: 'all', id }])
    assert.throws(() => ReindexInput.parse(wrong));
  await assert.rejects(getDocument(app, newId()), code('NOT_FOUND'));
  await deleteDocument(app, id);
  await database.query(`UPDATE documents SET deleted_at = now() - interval '31 days'`);
  assert.equal(await purgeDeletedDocuments(app), 1);
  await assert.rejects(getDocument(app, id), code('NOT_FOUND'));
  await createIndexer(app).drain();
  assert.equal(await app.vectors.count(), 0);
});
