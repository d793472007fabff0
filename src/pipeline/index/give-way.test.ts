import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { giveWay } from './give-way.ts';

/** The pauses requested while giving way, each waited in full so that the event loop can be observed. */
async function pausesAfter(workedMs: number): Promise<number[]> {
  const pauses: number[] = [];
  await giveWay(workedMs, async (ms) => {
    pauses.push(ms);
    if (pauses.length === 1) await sleep(ms);
  });
  return pauses;
}

test('where nothing else runs, work goes on after one look', async () => {
  assert.deepEqual(await pausesAfter(40), [25]);
  assert.deepEqual(await pausesAfter(20), [20]);
});

test('where the event loop is wanted, work stays away three times as long as it took, but not for ever', async () => {
  const stop = new AbortController();
  const busy = (async () => {
    while (!stop.signal.aborted) {
      for (const end = performance.now() + 5; performance.now() < end; );
      await setImmediate();
    }
  })();
  try {
    assert.deepEqual(await pausesAfter(40), [25, 95]);
    assert.deepEqual(await pausesAfter(10_000), [25, 500]);
  } finally {
    stop.abort();
    await busy;
  }
});
