import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors.ts';
import { validateVector } from './validate-vector.ts';

const invalid = (reason: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === 'EMBEDDING_INVALID' && reason.test(error.message);

test('scales a good vector to norm 1', () => {
  assert.deepEqual([...validateVector([3, 4], 2)], [0.6000000238418579, 0.800000011920929]);
});

test('rejects wrong lengths, values that are no numbers, zeros and tiny norms', () => {
  assert.throws(() => validateVector([1, 0, 0], 2), invalid(/3 values, not 2/));
  assert.throws(() => validateVector([Number.NaN, 1], 2), invalid(/value 0 is NaN/));
  assert.throws(() => validateVector([1, Number.POSITIVE_INFINITY], 2), invalid(/value 1 is Infinity/));
  assert.throws(() => validateVector([0, 0], 2), invalid(/zero/));
  assert.throws(() => validateVector([0.01, 0], 2), invalid(/norm/));
});
