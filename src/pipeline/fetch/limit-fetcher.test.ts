import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchRequest, FetchResponse } from '../../ports/fetcher.ts';
import { limitFetcher } from './limit-fetcher.ts';

/** A fetcher whose answers are released by the test. */
function createSlowFetcher() {
  const open = new Map<string, () => void>();
  return {
    open,
    fetch: ({ url }: FetchRequest) =>
      new Promise<FetchResponse>((resolve) => {
        open.set(url, () => {
          open.delete(url);
          resolve({ url, status: 200, headers: {}, body: new Uint8Array(), redirects: [], timings: NEVER });
        });
      }),
    async [Symbol.asyncDispose]() {},
  };
}
const NEVER = { firstByteMs: 0, totalMs: 0 };
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('no more requests are open than allowed; the others come in order', async () => {
  const slow = createSlowFetcher();
  const fetcher = limitFetcher(slow, 2, 1_000_000);
  const all = ['a', 'b', 'c', 'd'].map((url) => fetcher.fetch({ url }));
  assert.deepEqual([...slow.open.keys()], ['a', 'b']);
  slow.open.get('b')!();
  await settle();
  assert.deepEqual([...slow.open.keys()], ['a', 'c']);
  for (const url of ['a', 'c', 'd']) {
    await settle();
    slow.open.get(url)!();
  }
  assert.equal((await Promise.all(all)).length, 4);
});

test('sites that do not answer leave their places to others, and only once', async () => {
  const slow = createSlowFetcher();
  const fetcher = limitFetcher(slow, 1, 1);
  const silent = ['a', 'b'].map((url) => fetcher.fetch({ url }));
  while (!slow.open.has('b')) await settle();
  assert.deepEqual([...slow.open.keys()], ['a', 'b']);
  const patient = limitFetcher(slow, 1, 1_000_000);
  const [first] = ['c', 'd'].map((url) => patient.fetch({ url }));
  await settle();
  slow.open.get('c')!();
  await first;
  await settle();
  assert.deepEqual([...slow.open.keys()], ['a', 'b', 'd']);
  for (const answer of slow.open.values()) answer();
  await Promise.all(silent);
});
