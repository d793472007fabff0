import assert from 'node:assert/strict';
import type { Reranker } from '../../src/ports/reranker.ts';
import { scoreOf } from '../support/model-server.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

/**
 * Every reranker passes this. The models behind them count the words of the query that stand in a text, and answer the
 * probability of that count as a logit.
 */
const round = (scores: readonly number[]) => scores.map((score) => Math.round(score * 1e5) / 1e5);

export const rerankerContract = defineContract<() => Promise<Reranker>>('reranker', (it, open) => {
  it('says which engine answers', async () => {
    await using reranker = await open();
    await assertAnswers(reranker);
  });

  it('gives one score per text, in order, and none for none', async () => {
    await using reranker = await open();
    const scores = await reranker.rerank('red apple', ['green pear', 'red apple', 'an apple']);
    assert.deepEqual(round(scores), round([0, 2, 1].map(scoreOf)));
    assert.deepEqual(await reranker.rerank('x', []), []);
  });

  it('a score does not depend on what else is read in the same batch', async () => {
    await using reranker = await open();
    const texts = Array.from({ length: 21 }, (_, at) => `${'pear '.repeat(at % 7)}${at % 3 === 0 ? 'apple' : 'plum'}`);
    const scores = await reranker.rerank('red apple', texts);
    assert.deepEqual(round(scores), round(texts.map((text) => scoreOf(text.endsWith('apple') ? 1 : 0))));
  });
});
