import assert from 'node:assert/strict';
import type { Reranker } from '../../src/ports/reranker.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

/** Every reranker passes this. The models behind them count the words of the query that stand in a text. */
export const rerankerContract = defineContract<() => Promise<Reranker>>('reranker', (it, open) => {
  it('says which engine answers', async () => {
    await using reranker = await open();
    await assertAnswers(reranker);
  });

  it('gives one score per text, in order, and none for none', async () => {
    await using reranker = await open();
    assert.deepEqual(await reranker.rerank('red apple', ['green pear', 'red apple', 'an apple']), [0, 2, 1]);
    assert.deepEqual(await reranker.rerank('x', []), []);
  });

  it('a score does not depend on what else is read in the same batch', async () => {
    await using reranker = await open();
    const texts = Array.from({ length: 21 }, (_, at) => `${'pear '.repeat(at % 7)}${at % 3 === 0 ? 'apple' : 'plum'}`);
    const scores = await reranker.rerank('red apple', texts);
    assert.deepEqual(
      scores,
      texts.map((text) => (text.endsWith('apple') ? 1 : 0)),
    );
  });
});
