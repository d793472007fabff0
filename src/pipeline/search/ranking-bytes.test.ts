import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeRanking, encodeRanking } from './ranking-bytes.ts';

const number = fc.double({ noNaN: true });
const hit = fc.record(
  {
    chunkId: fc.string(),
    documentId: fc.string(),
    score: number,
    vectorScore: number,
    vectorRank: fc.nat(),
    keywordScore: number,
    keywordRank: fc.nat(),
    rerankScore: number,
  },
  { requiredKeys: ['chunkId', 'documentId', 'score'] },
);

test('what is kept of a ranking comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(hit), fc.option(fc.string()), (hits, degraded) => {
      const ranking = {
        hits: hits.map((entry) => ({ ...entry })),
        mode: 'hybrid' as const,
        degraded,
        passing: false,
        folded: false,
        reranked: false,
        queryEmbeddingCached: true,
        timings: { embed: 1.5 },
        model: 'm',
      };
      assert.deepEqual(decodeRanking(encodeRanking(ranking)), ranking);
    }),
  );
});
