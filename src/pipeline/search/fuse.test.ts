import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fuse } from './fuse.ts';

const hits = (...entries: [string, number][]) =>
  entries.map(([chunkId, score]) => ({ chunkId, documentId: `d-${chunkId}`, score }));
const options = { method: 'scores', k: 60, vectorWeight: 1, keywordWeight: 1, depth: 100 } as const;
const order = (fused: { chunkId: string }[]) => fused.map((hit) => hit.chunkId);

test('ranks are fused by Σ weight / (k + rank)', () => {
  const fused = fuse(hits(['a', 0.9], ['b', 0.8]), hits(['b', 7], ['c', 5]), { ...options, method: 'rrf' });
  assert.deepEqual(order(fused), ['b', 'a', 'c']);
  assert.equal(fused[0]!.score, 1 / 62 + 1 / 61);
  assert.deepEqual([fused[0]!.vectorRank, fused[0]!.keywordRank], [2, 1]);
});

test('the one chunk that holds a rare identifier beats many vaguely similar ones', () => {
  const vague = hits(...Array.from({ length: 50 }, (_, at): [string, number] => [`v${at}`, 0.3 - at / 1_000]));
  assert.equal(fuse(vague, hits(['exact', 12]), options)[0]!.chunkId, 'exact');
});

test('a weight of 0 leaves the other list alone; equal scores say nothing', () => {
  const vector = hits(['a', 0.9], ['b', 0.1]);
  const keyword = hits(['b', 9], ['a', 1]);
  assert.deepEqual(order(fuse(vector, keyword, { ...options, keywordWeight: 0 })), ['a', 'b']);
  assert.deepEqual(order(fuse(vector, keyword, { ...options, vectorWeight: 0 })), ['b', 'a']);
  assert.equal(fuse(hits(['a', 0.5]), [], options)[0]!.score, 0.5);
});

test('new text is judged by its words until it has a vector', () => {
  const vector = hits(...Array.from({ length: 20 }, (_, at): [string, number] => [`v${at}`, 0.3 - at / 100]));
  const keyword = hits(['new', 9], ['old', 8], ['v3', 1]);
  const withoutVector = new Set(['new']);
  assert.deepEqual(order(fuse(vector, keyword, { ...options, withoutVector })).slice(0, 2), ['new', 'old']);
  const judged = (missing: Set<string>) =>
    fuse(vector, keyword, { ...options, withoutVector: missing }).find((hit) => hit.chunkId === 'new')!.score;
  assert.ok(judged(withoutVector) > judged(new Set()));
  // A vector that is there counts, whatever is said to be missing.
  assert.equal(judged(new Set(['new', 'v3'])), judged(withoutVector));
});

test('every chunk comes once, scores fall and lie in (0, 1)', () => {
  const list = fc.uniqueArray(
    fc.tuple(fc.stringMatching(/^[a-z]{1,2}$/), fc.double({ min: 0, max: 50, noNaN: true })),
    {
      selector: ([id]) => id,
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(list, list, (vector, keyword) => {
      const sorted = (entries: [string, number][]) => hits(...entries.toSorted((a, b) => b[1] - a[1]));
      const fused = fuse(sorted(vector), sorted(keyword), options);
      assert.equal(new Set(order(fused)).size, fused.length);
      assert.equal(fused.length, new Set([...vector, ...keyword].map(([id]) => id)).size);
      for (const [at, { score }] of fused.entries())
        assert.ok(score >= 0 && score <= 1 && (at === 0 || score <= fused[at - 1]!.score));
    }),
  );
});
