import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { part, queryOf } from './call.ts';
import { CrawlerApiError, readRetryAfter } from './error.ts';
import { pause, waitBeforeRetry } from './retry.ts';

const error = (status: number, code = 'X', retryAfterMs?: number) =>
  new CrawlerApiError('no', { status, code, retryAfterMs });
const rules = { repeatable: true, maxWaitMs: 30_000 };

describe('whether a request is tried again', () => {
  for (const [name, thrown, repeatable, expected] of [
    ['too many requests', error(429), false, true],
    ['the server is down', error(503), true, true],
    ['the server is down, and it would be done twice', error(503), false, false],
    ['a gateway', error(502), true, true],
    ['no connection', error(0, 'CONNECTION_FAILED'), true, true],
    ['no connection, and it may have been done', error(0, 'CONNECTION_FAILED'), false, false],
    ['no answer', error(0, 'TIMEOUT'), true, true],
    ['a wrong request', error(400), true, false],
    ['a bug of the server', error(500), true, false],
    ['the first one is still at work', error(409, 'CONFLICT', 5_000), true, true],
    ['a conflict that stays', error(409, 'STATE_CONFLICT'), true, false],
    ['no crawl4r', error(200, 'ANSWER_INVALID'), true, false],
    ['an error of the program', new TypeError('x'), true, false],
  ] as const)
    it(name, () => assert.equal(waitBeforeRetry(thrown, 1, { ...rules, repeatable }) !== undefined, expected));

  it('waits as long as the server asks, never longer than it may, and more each time', () => {
    fc.assert(
      fc.property(
        fc.nat(40_000),
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (asked, tries, random) => {
          const wait = waitBeforeRetry(error(503, 'X', asked), tries, rules, () => random);
          if (asked > rules.maxWaitMs) return assert.equal(wait, undefined);
          assert.ok(wait !== undefined && wait >= asked && wait <= rules.maxWaitMs && wait > 0, String(wait));
        },
      ),
    );
    const waits = [1, 2, 3, 4].map((tries) => waitBeforeRetry(error(503), tries, rules, () => 0)!);
    assert.deepEqual(waits, [125, 250, 500, 1_000]);
  });
});

it('Retry-After is seconds or a date', () => {
  assert.equal(readRetryAfter('7'), 7_000);
  assert.equal(readRetryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 50_000), 10_000);
  assert.equal(readRetryAfter('Thu, 01 Jan 1970 00:01:00 GMT', 90_000), 0);
  for (const odd of ['soon', '-1', '1e9', '']) assert.equal(readRetryAfter(odd), undefined, odd);
  assert.equal(readRetryAfter(null), undefined);
});

it('a pause ends with its signal', async () => {
  const stop = new AbortController();
  const waiting = pause(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await assert.rejects(pause(60_000, stop.signal), /enough/);
});

it('a part of a path stays one part', () => {
  for (const value of ['', '.', '..']) assert.throws(() => part(value), TypeError);
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (value) => {
      fc.pre(value !== '.' && value !== '..' && value.isWellFormed());
      const { pathname } = new URL(`http://x/a/${part(value)}/b`);
      assert.deepEqual(pathname.split('/').map(decodeURIComponent), ['', 'a', value, 'b']);
    }),
  );
});

it('a query leaves out what is absent, joins lists and writes times', () => {
  assert.equal(queryOf({ a: undefined, b: null }), '');
  assert.equal(
    queryOf({ tags: ['a', 'b c'], on: true, at: new Date(0) }),
    '?tags=a%2Cb+c&on=true&at=1970-01-01T00%3A00%3A00.000Z',
  );
});
