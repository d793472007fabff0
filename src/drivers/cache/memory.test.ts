import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from './memory.ts';

test('stays within its bytes and lets the least recently used go first', async () => {
  await using cache = createMemoryCache({ maxMb: 1 });
  const value = new Uint8Array(100_000);
  for (let index = 0; index < 9; index++) await cache.set(`k${index}`, value, 60_000);
  await cache.get('k0');
  for (let index = 9; index < 14; index++) await cache.set(`k${index}`, value, 60_000);
  const stats = await cache.stats!();
  assert.ok(stats.bytes <= 1024 * 1024, `${stats.bytes} bytes`);
  assert.ok(await cache.get('k0'));
  assert.equal(await cache.get('k1'), undefined);
});

test('an entry larger than the cache is not kept and pushes nothing out', async () => {
  await using cache = createMemoryCache({ maxMb: 1 });
  await cache.set('small', new Uint8Array(10), 60_000);
  await cache.set('huge', new Uint8Array(2 * 1024 * 1024), 60_000);
  assert.equal(await cache.get('huge'), undefined);
  assert.ok(await cache.get('small'));
});

test('counts hits and misses', async () => {
  await using cache = createMemoryCache({ maxMb: 1 });
  await cache.set('a', new Uint8Array(1), 60_000);
  await cache.get('a');
  await cache.get('b');
  const { hits, misses, entries } = await cache.stats!();
  assert.deepEqual({ hits, misses, entries }, { hits: 1, misses: 1, entries: 1 });
});
