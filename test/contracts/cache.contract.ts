import assert from 'node:assert/strict';
import type { Cache } from '../../src/ports/cache.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

export interface CacheUnderTest {
  cache: Cache;
  /** Lets this much time pass for the engine: a turned clock, or a real wait. */
  advance(ms: number): Promise<void>;
  /** The cache after its engine has lost everything. */
  wipe(): Promise<Cache>;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);

export const cacheContract = defineContract<() => Promise<CacheUnderTest>>('cache', (it, open) => {
  it('says which engine answers', async () => {
    const { cache } = await open();
    await using _ = cache;
    await assertAnswers(cache);
  });

  it('returns what was set, and nothing for what was not', async () => {
    const { cache } = await open();
    await using _ = cache;
    await cache.set('a', bytes('one'), 1_000);
    await cache.set('a', bytes('two'), 1_000);
    await cache.set('empty', bytes(''), 1_000);
    assert.equal(text(await cache.get('a')), 'two');
    assert.equal((await cache.get('empty'))?.length, 0);
    assert.equal(await cache.get('b'), undefined);
  });

  it('keeps its own copy of the bytes', async () => {
    const { cache } = await open();
    await using _ = cache;
    const value = bytes('one');
    await cache.set('a', value, 1_000);
    value.fill(0);
    (await cache.get('a'))?.fill(0);
    assert.equal(text(await cache.get('a')), 'one');
  });

  it('forgets an entry when its time is over', async () => {
    const { cache, advance } = await open();
    await using _ = cache;
    await cache.set('short', bytes('x'), 100);
    await cache.set('long', bytes('y'), 10_000);
    await advance(150);
    assert.equal(await cache.get('short'), undefined);
    assert.equal(text(await cache.get('long')), 'y');
  });

  it('deletes keys and prefixes, and counts the latter', async () => {
    const { cache } = await open();
    await using _ = cache;
    for (const key of ['q:1', 'q:2', 'q*3', 'r:1']) await cache.set(key, bytes(key), 10_000);
    await cache.delete(['r:1', 'absent']);
    assert.equal(await cache.get('r:1'), undefined);
    assert.equal(await cache.deletePrefix('q:'), 2);
    assert.equal(await cache.get('q:1'), undefined);
    assert.equal(text(await cache.get('q*3')), 'q*3');
    assert.equal(await cache.deletePrefix('q:'), 0);
  });

  it('forgets counts by their key, as it does entries', async () => {
    const { cache } = await open();
    await using _ = cache;
    await cache.increment('w', 3, 60_000);
    await cache.delete(['w']);
    assert.equal(await cache.increment('w', 1, 60_000), 1);
  });

  it('gives a lock to one holder at a time', async () => {
    const { cache } = await open();
    await using _ = cache;
    const holders = await Promise.all(Array.from({ length: 10 }, () => cache.lock('l', 60_000)));
    const held = holders.filter((holder) => holder !== undefined);
    assert.equal(held.length, 1);
    await held[0]![Symbol.asyncDispose]();
    assert.ok(await cache.lock('l', 60_000));
  });

  it('frees a lock by itself, and a late release does not free the next holder', async () => {
    const { cache, advance } = await open();
    await using _ = cache;
    const first = await cache.lock('l', 100);
    await advance(150);
    assert.ok(await cache.lock('l', 60_000));
    await first![Symbol.asyncDispose]();
    assert.equal(await cache.lock('l', 60_000), undefined);
  });

  it('gives each holder of a lock a larger token, also after one that ran out and after a wipe', async () => {
    const { cache, advance, wipe } = await open();
    await using _ = cache;
    const tokens: number[] = [];
    const expired = await cache.lock('l', 100);
    tokens.push(expired!.token);
    await advance(150);
    const second = await cache.lock('l', 60_000);
    tokens.push(second!.token);
    await second![Symbol.asyncDispose]();
    const third = await cache.lock('l', 60_000);
    tokens.push(third!.token);
    await using wiped = await wipe();
    tokens.push((await wiped.lock('l', 60_000))!.token);
    assert.ok(tokens.every(Number.isSafeInteger), tokens.join());
    assert.ok(
      tokens.every((token, at) => at === 0 || token > tokens[at - 1]!),
      tokens.join(),
    );
  });
});
