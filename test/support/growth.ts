import assert from 'node:assert/strict';

/** Linear work takes 8 times as long for 8 times the input; quadratic work 64 times. */
const TIMES = 8;
const MOST = 30;
/** For the last doubling: 2 and 4. A step, where something outgrows a cache, is over by then. */
const MOST_LAST = 3;
/** Work that takes less than this is too short to be compared. */
const MEASURABLE_MS = 1;
const ROUNDS = 25;

/**
 * Fails when work grows faster than its input. The input is doubled until reading it takes long enough to be measured,
 * then eight times that is read. The least of many runs counts, and the first pair that is in proportion is enough: a
 * busy machine would have to disturb every single run.
 */
export async function assertLinear(name: string, read: (size: number) => unknown, largest: number): Promise<void> {
  let size = 128;
  let small = await measure(read, size);
  while (small < MEASURABLE_MS) {
    if (size * TIMES >= largest) return;
    size *= 2;
    small = await measure(read, size);
  }
  let half = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    large = Math.min(large, await measure(read, size * TIMES));
    if (large / small <= MOST) return;
    half = Math.min(half, await measure(read, (size * TIMES) / 2));
    if (large / half <= MOST_LAST) return;
    small = Math.min(small, await measure(read, size));
  }
  assert.fail(`${name}: ${TIMES} times ${size} characters took ${(large / small).toFixed(1)} times as long`);
}

async function measure(read: (size: number) => unknown, size: number): Promise<number> {
  const start = performance.now();
  await read(size);
  return performance.now() - start;
}
