import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planBatches } from './batches.ts';

const text = (length: number) => 'x'.repeat(length);

test('every text is in one batch, and no batch is too large', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900).map(text), { maxLength: 40 }), fc.integer({ min: 1, max: 8 }), (texts, max) => {
      const batches = planBatches(texts, max);
      assert.deepEqual(
        batches.flat().sort((a, b) => a - b),
        texts.map((_, at) => at),
      );
      assert.ok(batches.every((batch) => batch.length > 0 && batch.length <= max));
    }),
  );
});

test('short texts share a batch with their like, long ones go alone', () => {
  const texts = [text(1_500), text(50), text(48), text(1_600), text(52), text(600), text(610)];
  assert.deepEqual(planBatches(texts, 8), [[2, 1, 4], [5, 6], [0], [3]]);
});
