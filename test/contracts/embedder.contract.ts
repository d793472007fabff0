import assert from 'node:assert/strict';
import type { Embedder } from '../../src/ports/embedder.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

/** Every embedder passes this. */
export const embedderContract = defineContract<() => Promise<Embedder>>('embedder', (it, open) => {
  it('says which engine answers', async () => {
    await using embedder = await open();
    await assertAnswers(embedder);
  });

  it('gives one vector per text, in order, of its dimension and norm 1', async () => {
    await using embedder = await open();
    const texts = ['apple pie', 'a much longer text about turbines and heat '.repeat(30), 'x', 'apple pie'];
    for (const kind of ['document', 'query'] as const) {
      const vectors = await embedder.embed(texts, kind);
      assert.equal(vectors.length, texts.length);
      for (const vector of vectors) {
        assert.ok(vector instanceof Float32Array);
        assert.equal(vector.length, embedder.dimension);
        assert.ok(vector.every(Number.isFinite));
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
      }
      assert.ok(dot(vectors[0]!, vectors[3]!) > 0.999);
    }
    assert.deepEqual(await embedder.embed([], 'document'), []);
  });

  it('texts about the same thing are closer', async () => {
    await using embedder = await open();
    const [pie, tart, engine] = await embedder.embed(
      ['apple pie with cream', 'apple tart with cream', 'jet engine turbine blade'],
      'document',
    );
    assert.ok(dot(pie!, tart!) > dot(pie!, engine!) + 0.2);
  });

  it('takes many texts at once, and calls at the same time', async () => {
    await using embedder = await open();
    const texts = Array.from({ length: 70 }, (_, at) => `number ${at} of many`);
    const [many, one] = await Promise.all([
      embedder.embed(texts, 'document'),
      embedder.embed(['number 3 of many'], 'query'),
    ]);
    assert.equal(many.length, 70);
    assert.ok(dot(many[3]!, one[0]!) > 0.99);
  });

  it('names its model and its limits', async () => {
    await using embedder = await open();
    assert.ok(embedder.model.length > 0);
    assert.ok(embedder.maxTokens > 0);
  });
});
