import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExtractPool } from './pool.ts';

const page = (html: string) => ({
  url: 'https://example.com/',
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(html),
});
const GOOD =
  '<html lang="en"><title>Good</title><p>Some words that make a page worth its while, and a few more of them.</p>';
/** Closing tags that match nothing make the parser look through its whole stack for each. */
const SLOW = '<x>'.repeat(250) + '</y>'.repeat(12_000_000);

/** Every element of a page is held against every rule. */
const SLOW_RULES = { excludeSelectors: Array.from({ length: 50_000 }, (_, at) => `.c${at}`) };

test('pages come back to the one who asked, whatever the order', async () => {
  await using pool = createExtractPool({ threads: 2, timeoutMs: 20_000, memoryMb: 256 });
  const titles = await Promise.all(
    Array.from(
      { length: 40 },
      async (_, index) => (await pool.extract(page(GOOD.replace('Good', `Page ${index}`)))).title,
    ),
  );
  assert.deepEqual(
    titles,
    Array.from({ length: 40 }, (_, index) => `Page ${index}`),
  );
});

test('the body stays with the caller', async () => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 20_000, memoryMb: 256 });
  const raw = page(GOOD);
  await pool.extract(raw);
  assert.equal(raw.body.toString(), GOOD);
});

test('a page over its time fails alone', async () => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 1_000, memoryMb: 256 });
  const results = await Promise.allSettled([
    pool.extract(page(GOOD)),
    pool.extract(page(SLOW)),
    pool.extract(page(GOOD)),
  ]);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.title : result.reason.code)),
    ['Good', 'PARSE_TIMEOUT', 'Good'],
  );
});

test('whichever page of many hangs, it is the one that fails', async () => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 1_000, memoryMb: 256 });
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) =>
      index === 13
        ? pool.extract(page('<p>a</p>'.repeat(6_000)), SLOW_RULES)
        : pool.extract(page(GOOD.replace('Good', `Page ${index}`))),
    ),
  );
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.title : result.reason.code)),
    Array.from({ length: 30 }, (_, index) => (index === 13 ? 'PARSE_TIMEOUT' : `Page ${index}`)),
  );
});

test('a page over its memory fails alone', async () => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 60_000, memoryMb: 64 });
  const results = await Promise.allSettled([
    pool.extract(page(GOOD)),
    pool.extract(page('<b>x</b>'.repeat(1_000_000))),
    pool.extract(page(GOOD)),
  ]);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.title : result.reason.code)),
    ['Good', 'PARSE_MEMORY', 'Good'],
  );
});

test('a small page that takes long holds up no other, and still has its time', async () => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 1_000, memoryMb: 256 });
  const ends: string[] = [];
  await Promise.all([
    pool.extract(page('<p>a</p>'.repeat(6_000)), SLOW_RULES).then(
      ({ title }) => ends.push(title),
      ({ code }) => ends.push(code),
    ),
    ...[1, 2, 3].map((number) =>
      pool.extract(page(GOOD.replace('Good', `Page ${number}`))).then(({ title }) => ends.push(title)),
    ),
  ]);
  assert.deepEqual(ends, ['Page 1', 'Page 2', 'Page 3', 'PARSE_TIMEOUT']);
});

test('giants one after the other are all read, whatever the one before has left behind', async () => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 60_000, memoryMb: 256 });
  const giant = (number: number) =>
    page(GOOD.replace('Good', `Giant ${number}`) + '<div><b>word</b></div>'.repeat(60_000));
  const titles: string[] = [];
  for (const number of [1, 2, 3]) titles.push((await pool.extract(giant(number))).title);
  assert.deepEqual(titles, ['Giant 1', 'Giant 2', 'Giant 3']);
});

test('a lane is ready once, for small pages and for giants', async () => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 20_000, memoryMb: 256 });
  await pool.ready(Buffer.from(GOOD));
  await pool.ready(Buffer.alloc(600_000, '<p>'));
  assert.equal((await pool.extract(page(GOOD))).title, 'Good');
});

test('errors keep their code', async () => {
  await using pool = createExtractPool({ threads: 1, timeoutMs: 20_000, memoryMb: 256 });
  const image = {
    url: 'https://example.com/a.png',
    contentType: 'image/png',
    body: new Uint8Array([0x89, 0x50, 0, 0, 1, 2]),
  };
  await assert.rejects(pool.extract(image), { code: 'CONTENT_TYPE_UNSUPPORTED' });
});

test('a closed pool takes nothing', async () => {
  const pool = createExtractPool({ threads: 1, timeoutMs: 20_000, memoryMb: 256 });
  await pool[Symbol.asyncDispose]();
  await assert.rejects(pool.extract(page(GOOD)), { code: 'CANCELLED' });
});
