import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Flights, shareWork } from './share-work.ts';

/** Work that ends when the test says so, and counts how often it was started. */
function controlled() {
  const runs: { signal: AbortSignal; end: PromiseWithResolvers<string> }[] = [];
  const work = (signal: AbortSignal) => {
    const end = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => end.reject(signal.reason));
    runs.push({ signal, end });
    return end.promise;
  };
  return { runs, work, flights: new Map() as Flights<string> };
}

it('does the work of a key once for all that ask meanwhile, and again afterwards', async () => {
  const { runs, work, flights } = controlled();
  const asked = [1, 2, 3].map(() => shareWork(flights, 'a', undefined, work));
  const other = shareWork(flights, 'b', undefined, work);
  assert.equal(runs.length, 2);
  runs[0]!.end.resolve('done');
  runs[1]!.end.resolve('else');
  assert.deepEqual(await Promise.all(asked), [
    { value: 'done', shared: false },
    { value: 'done', shared: true },
    { value: 'done', shared: true },
  ]);
  assert.equal((await other).value, 'else');
  assert.equal(flights.size, 0);
  const later = shareWork(flights, 'a', undefined, work);
  runs[2]!.end.resolve('new');
  assert.deepEqual(await later, { value: 'new', shared: false });
});

it('goes on while somebody waits: a caller that leaves takes nothing from the others', async () => {
  const { runs, work, flights } = controlled();
  const first = new AbortController();
  const leaves = shareWork(flights, 'a', first.signal, work);
  const stays = shareWork(flights, 'a', undefined, work);
  first.abort(new Error('hung up'));
  await assert.rejects(leaves, { code: 'CANCELLED' });
  assert.equal(runs[0]!.signal.aborted, false);
  runs[0]!.end.resolve('done');
  assert.equal((await stays).value, 'done');
});

it('is aborted when the last caller leaves, and the next one starts anew', async () => {
  const { runs, work, flights } = controlled();
  const stop = new AbortController();
  const asked = [1, 2].map(() => shareWork(flights, 'a', stop.signal, work));
  stop.abort(new Error('hung up'));
  for (const each of asked) await assert.rejects(each, { code: 'CANCELLED' });
  assert.equal(runs[0]!.signal.aborted, true);
  const next = shareWork(flights, 'a', undefined, work);
  runs[1]!.end.resolve('new');
  assert.deepEqual(await next, { value: 'new', shared: false });
});

it('fails for all, and is not remembered', async () => {
  const { runs, work, flights } = controlled();
  const asked = [1, 2].map(() => shareWork(flights, 'a', undefined, work));
  runs[0]!.end.reject(new Error('broken'));
  for (const each of asked) await assert.rejects(each, /broken/);
  assert.equal(flights.size, 0);
});
