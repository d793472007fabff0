import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { VectorScan } from './scan.ts';

/** Numbers that are the same every time, in (-1, 1). */
function series(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 13)) | 0) / 2 ** 31;
  };
}
const cosine = (a: Float32Array, b: Float32Array) => {
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
};
const randomVector = (dimension: number, next: () => number) => Float32Array.from({ length: dimension }, next);

describe('VectorScan', () => {
  test('few rows are ranked as exact search ranks them, at any dimension and under any mask', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer(), fc.array(fc.boolean()), (dimension, seed, mask) => {
        const next = series(seed);
        const scan = new VectorScan(dimension);
        const vectors = mask.map(() => randomVector(dimension, next));
        for (const [slot, vector] of vectors.entries()) scan.set(slot, vector);
        const query = randomVector(dimension, next);
        const exact = vectors
          .map((vector, slot) => ({ slot, score: cosine(query, vector) }))
          .filter(({ slot }) => mask[slot])
          .sort((a, b) => b.score - a.score);
        const found = scan.search(
          query,
          5,
          Uint8Array.from(mask, (set) => (set ? 1 : 0)),
        );
        assert.equal(found.length, Math.min(5, exact.length));
        for (const [at, { slot, score }] of found.entries()) {
          assert.ok(mask[slot]);
          assert.ok(Math.abs(score - cosine(query, vectors[slot]!)) < 1e-4);
          assert.ok(Math.abs(score - exact[at]!.score) < 1e-4);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('of many rows in clusters it finds nearly all of the nearest', () => {
    const [dimension, rows, clusters] = [128, 3_000, 30];
    const next = series(11);
    const centers = Array.from({ length: clusters }, () => randomVector(dimension, next));
    const near = (center: Float32Array) => center.map((value) => value + 0.8 * next());
    const vectors = Array.from({ length: rows }, (_, slot) => near(centers[slot % clusters]!));
    const scan = new VectorScan(dimension);
    for (const [slot, vector] of vectors.entries()) scan.set(slot, vector);
    const mask = Uint8Array.from(vectors, (_, slot) => (slot % 3 === 0 ? 0 : 1));
    let found = 0;
    for (let query = 0; query < 20; query++) {
      const vector = near(centers[query]!);
      const exact = vectors
        .map((held, slot) => ({ slot, score: cosine(vector, held) }))
        .filter(({ slot }) => mask[slot] === 1)
        .sort((a, b) => b.score - a.score)
        .slice(0, 10);
      const slots = new Set(scan.search(vector, 10, mask).map(({ slot }) => slot));
      found += exact.filter(({ slot }) => slots.has(slot)).length;
    }
    assert.ok(found / 200 >= 0.95, `recall ${found / 200}`);
  });

  test('a slot can be written again', () => {
    const scan = new VectorScan(3);
    scan.set(0, [1, 0, 0]);
    scan.set(0, [0, -2, 0]);
    assert.deepEqual(scan.search([0, -1, 0], 1, Uint8Array.of(1)), [{ slot: 0, score: 1 }]);
  });
});
