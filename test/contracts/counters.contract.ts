import assert from 'node:assert/strict';
import type { Counters } from '../../src/ports/counters.ts';
import { defineContract } from './support/contract.ts';

export interface CountersUnderTest extends AsyncDisposable {
  /** Counters of another process where the engine is shared; the same again where it is not. */
  open(): Promise<Counters>;
  /** Lets this much time pass for the engine: a turned clock, or a real wait. */
  advance(ms: number): Promise<void>;
}

export const countersContract = defineContract<() => Promise<CountersUnderTest>>('counters', (it, prepare) => {
  it('counts within a window that starts at the first call', async () => {
    await using place = await prepare();
    const counters = await place.open();
    assert.equal(await counters.increment('w', 1, 400), 1);
    await place.advance(60);
    assert.equal(await counters.increment('w', 2, 60_000), 3, 'a later call does not make it longer');
    await place.advance(400);
    assert.equal(await counters.increment('w', 1, 60_000), 1);
    assert.equal(await counters.increment('other', 5, 60_000), 5);
  });

  it('counts every concurrent call once, in all processes that share it', async () => {
    await using place = await prepare();
    const processes = [await place.open(), await place.open(), await place.open()];
    const counts = await Promise.all(
      Array.from({ length: 60 }, (_value, at) => processes[at % 3]!.increment('w', 1, 60_000)),
    );
    assert.deepEqual(
      counts.toSorted((a, b) => a - b),
      Array.from({ length: 60 }, (_value, index) => index + 1),
    );
  });

  it('forgets what is deleted, and nothing else', async () => {
    await using place = await prepare();
    const counters = await place.open();
    for (const key of ['a', 'b']) await counters.increment(key, 7, 60_000);
    await counters.delete(['a', 'absent']);
    assert.deepEqual([await counters.increment('a', 1, 60_000), await counters.increment('b', 1, 60_000)], [1, 8]);
  });

  it('holds counts of thousands of requests a minute and keys of any text', async () => {
    await using place = await prepare();
    const counters = await place.open();
    const key = `rate:ip:::ffff:1.2.3.4:${'é'.repeat(300)}`;
    assert.equal(await counters.increment(key, 3_000_000_000, 60_000), 3_000_000_000);
    assert.equal(await counters.increment(key, 3_000_000_000, 60_000), 6_000_000_000);
  });
});
