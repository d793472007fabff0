import assert from 'node:assert/strict';

/** Polls until it holds; a driver that never gets there fails the case. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await holds())) {
    assert(performance.now() < deadline, 'it did not happen in time');
    await new Promise((done) => setTimeout(done, 20));
  }
}
