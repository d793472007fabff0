import { AppError } from '../errors.ts';

/** Norms of vectors that were normalised somewhere, with a tolerance for low precision. */
const MIN_NORM = 0.1;

/**
 * Rejects what must never reach an index: another length, NaN, infinity, all zeros. What passes is scaled to norm 1,
 * since every comparison assumes it.
 */
export function validateVector(vector: ArrayLike<number>, dimension: number): Float32Array {
  const fail = (reason: string) => {
    throw new AppError('EMBEDDING_INVALID', `the embedder made a vector that cannot be used: ${reason}`, {
      details: { reason },
    });
  };
  if (vector.length !== dimension) fail(`it has ${vector.length} values, not ${dimension}`);
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i]!;
    if (!Number.isFinite(value)) fail(`value ${i} is ${value}`);
    squares += value * value;
  }
  const norm = Math.sqrt(squares);
  if (norm === 0) fail('all values are zero');
  if (norm < MIN_NORM) fail(`its norm is ${norm}`);
  return Float32Array.from(vector, (value) => value / norm);
}
