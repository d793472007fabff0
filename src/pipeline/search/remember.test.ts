import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from '../../drivers/cache/memory.ts';
import type { Cache } from '../../ports/cache.ts';
import { remember } from './remember.ts';

/** The same store seen by another process: what is under way there is not known here. */
const elsewhere = (cache: Cache): Cache => Object.create(cache);
const text = ({ value }: { value: Uint8Array }) => Buffer.from(value).toString();

test('many who ask at once, here and elsewhere, have it made once', async () => {
  await using cache = createMemoryCache({ maxMb: 1 });
  const processes = [cache, elsewhere(cache), elsewhere(cache)];
  let made = 0;
  const make = async () => {
    made++;
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { value: Buffer.from('answer'), keep: true };
  };
  const answers = await Promise.all(
    processes.flatMap((process) => Array.from({ length: 5 }, () => remember(process, 'k', 60_000, make))),
  );
  assert.equal(made, 1);
  assert.deepEqual(new Set(answers.map(text)), new Set(['answer']));
  assert.equal(answers.filter((answer) => !answer.cached).length, 1);
  assert.equal((await remember(cache, 'k', 60_000, make)).cached, true);
});

test('what failed or should not be kept is made again', async () => {
  await using cache = createMemoryCache({ maxMb: 1 });
  await assert.rejects(
    remember(cache, 'k', 60_000, () => Promise.reject(new Error('no'))),
    /no/,
  );
  const once = () => Promise.resolve({ value: Buffer.from('passing'), keep: false });
  for (let time = 0; time < 2; time++) {
    const answer = await remember(cache, 'k', 60_000, once);
    assert.deepEqual([text(answer), answer.cached], ['passing', false]);
  }
});

test('nobody waits for a cache that does not answer', async () => {
  const down = () => Promise.reject(new Error('down'));
  await using memory = createMemoryCache({ maxMb: 1 });
  let looks = 0;
  const get = () => {
    looks++;
    return down();
  };
  const cache: Cache = Object.assign(elsewhere(memory), { get, set: down, lock: down });
  const answer = await remember(cache, 'k', 60_000, async () => ({ value: Buffer.from('x'), keep: true }));
  assert.deepEqual([text(answer), looks], ['x', 1]);
});
