import assert from 'node:assert/strict';
import { AppError } from '../../src/errors.ts';
import type { IndexFields } from '../../src/ports/index-filter.ts';
import type { VectorRow, Vectors } from '../../src/ports/vectors.ts';
import { indexFields as fields } from '../support/index-fields.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

const unit = (...values: number[]) => {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
};
const row = (chunkId: string, documentId: string, vector: Float32Array, over?: Partial<IndexFields>): VectorRow => ({
  chunkId,
  ...fields(documentId, over),
  vector,
});
const ids = (hits: { chunkId: string }[]) => hits.map((hit) => hit.chunkId);

/** Every vector engine passes this. `open` gives an empty index of dimension 4. */
export const vectorsContract = defineContract<() => Promise<Vectors>>('vectors', (it, open) => {
  it('says which engine answers', async () => {
    await using vectors = await open();
    await assertAnswers(vectors);
  });

  it('ranks by cosine similarity, best first, within the limit', async () => {
    await using vectors = await open();
    await vectors.upsert([
      row('far', 'd1', unit(-1, 0, 0, 0)),
      row('near', 'd1', unit(1, 0.1, 0, 0)),
      row('exact', 'd2', unit(1, 0, 0, 0)),
    ]);
    const hits = await vectors.search(unit(1, 0, 0, 0), 2);
    assert.deepEqual(ids(hits), ['exact', 'near']);
    assert.ok(Math.abs(hits[0]!.score - 1) < 1e-5);
    assert.equal(hits[0]!.documentId, 'd2');
    const all = await vectors.search(unit(1, 0, 0, 0), 10);
    assert.ok(Math.abs(all[2]!.score + 1) < 1e-5);
  });

  it('replaces rows of the same chunk', async () => {
    await using vectors = await open();
    await vectors.upsert([row('a', 'd1', unit(1, 0, 0, 0))]);
    await vectors.upsert([row('a', 'd1', unit(0, 1, 0, 0))]);
    assert.equal(await vectors.count(), 1);
    const [hit] = await vectors.search(unit(0, 1, 0, 0), 1);
    assert.ok(hit!.score > 0.99);
  });

  it('filters before the limit, by every field', async () => {
    await using vectors = await open();
    const near = Array.from({ length: 20 }, (_, at) => row(`n${at}`, 'd1', unit(1, at / 100, 0, 0)));
    const target = row('t', "d'2", unit(0, 1, 0, 0), {
      collectionId: 'c1',
      domain: 'other.org',
      tags: ['t1', 't2'],
      source: 'upload',
      contentType: 'code',
      language: 'de',
      fetchedAt: 5_000,
    });
    await vectors.upsert([...near, target]);
    const query = unit(1, 0, 0, 0);
    for (const filter of [
      { documentIds: ["d'2"] },
      { collectionIds: ['c1', 'c9'] },
      { domains: ['other.org'] },
      { tags: ['t2', 't9'] },
      { sources: ['upload'] },
      { contentTypes: ['code'] },
      { languages: ['de'] },
      { fetchedFrom: 5_000 },
    ])
      assert.deepEqual(ids(await vectors.search(query, 3, filter)), ['t'], JSON.stringify(filter));
    assert.equal((await vectors.search(query, 50, { fetchedTo: 4_999 })).length, 20);
    assert.deepEqual(await vectors.search(query, 3, { domains: ['other.org'], tags: ['t3'] }), []);
    assert.deepEqual(await vectors.search(query, 3, { collectionIds: [] }), []);
  });

  it('deletes by document and by chunk; unknown ids do nothing', async () => {
    await using vectors = await open();
    await vectors.upsert([
      row('a', 'd1', unit(1, 0, 0, 0)),
      row('b', 'd1', unit(1, 0, 0, 0)),
      row('c', 'd2', unit(1, 0, 0, 0)),
      row('d', 'd3', unit(1, 0, 0, 0)),
    ]);
    await vectors.deleteDocuments(['d1', 'unknown']);
    await vectors.deleteChunks(['c', 'unknown']);
    assert.deepEqual(ids(await vectors.search(unit(1, 0, 0, 0), 10)), ['d']);
    const seen: string[] = [];
    for await (const batch of vectors.ids()) seen.push(...batch.map((entry) => `${entry.documentId}/${entry.chunkId}`));
    assert.deepEqual(seen, ['d3/d']);
  });

  it('changes filter fields without touching vectors', async () => {
    await using vectors = await open();
    await vectors.upsert([
      row('a', 'd1', unit(1, 0, 0, 0), { tags: ['t1'], contentType: 'code' }),
      row('b', 'd2', unit(1, 0, 0, 0)),
    ]);
    if (vectors.updateFields === undefined) return;
    const { documentId: _, contentType: __, ...moved } = fields('d1', { collectionId: "c'1", language: null });
    await vectors.updateFields('d1', { ...moved, tags: ['t2', "t'3"] });
    const query = unit(1, 0, 0, 0);
    assert.deepEqual(ids(await vectors.search(query, 5, { collectionIds: ["c'1"] })), ['a']);
    assert.deepEqual(ids(await vectors.search(query, 5, { tags: ["t'3"], contentTypes: ['code'] })), ['a']);
    assert.deepEqual(await vectors.search(query, 5, { tags: ['t1'] }), []);
    await vectors.updateFields('d1', { ...moved, tags: [], collectionId: null });
    assert.deepEqual(await vectors.search(query, 5, { tags: ['t2'] }), []);
    assert.deepEqual(ids(await vectors.search(query, 5)).sort(), ['a', 'b']);
  });

  it('a document that was fetched again is filtered by the new time, and keeps its vectors', async () => {
    await using vectors = await open();
    await vectors.upsert([
      row('a', 'd1', unit(1, 0, 0, 0)),
      row('b', 'd1', unit(0, 1, 0, 0)),
      row('c', 'd2', unit(1, 0, 0, 0)),
    ]);
    await vectors.touch(['d1', 'unknown'], 5_000);
    await vectors.touch([], 9_000);
    assert.deepEqual(ids(await vectors.search(unit(1, 0, 0, 0), 5, { fetchedFrom: 5_000 })).sort(), ['a', 'b']);
    assert.deepEqual(ids(await vectors.search(unit(1, 0, 0, 0), 5, { fetchedTo: 4_999 })), ['c']);
    assert.equal(await vectors.count(), 3);
  });

  it('nothing is left after a drop', async () => {
    await using vectors = await open();
    await vectors.upsert([row('a', 'd1', unit(1, 0, 0, 0))]);
    assert.equal(await vectors.count(), 1);
    await vectors.drop?.();
    if (vectors.drop !== undefined) assert.equal(await vectors.count(), 0);
  });

  it('refuses vectors of another length', async () => {
    await using vectors = await open();
    const mismatch = (error: unknown) => error instanceof AppError && error.code === 'DIMENSION_MISMATCH';
    await assert.rejects(vectors.upsert([row('a', 'd1', unit(1, 0))]), mismatch);
    await assert.rejects(vectors.search(unit(1, 0, 0), 1), mismatch);
  });

  it('answers the same after it was optimized', async () => {
    await using vectors = await open();
    await vectors.upsert([row('a', 'd1', unit(1, 0, 0, 0)), row('b', 'd2', unit(0, 1, 0, 0))]);
    await vectors.optimize?.();
    await vectors.upsert([row('c', 'd3', unit(1, 0.2, 0, 0))]);
    await vectors.deleteDocuments(['d2']);
    await vectors.optimize?.();
    assert.deepEqual(ids(await vectors.search(unit(1, 0, 0, 0), 10)), ['a', 'c']);
  });
});
