import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Settings } from '../../src/config/settings.ts';
import { AppError } from '../../src/errors.ts';
import { createPoliteClient } from '../../src/pipeline/fetch/polite-client.ts';
import { createDatabaseRobots } from '../../src/pipeline/fetch/robots-store.ts';
import type { Database } from '../../src/ports/database.ts';
import type { Fetcher, FetchRequest } from '../../src/ports/fetcher.ts';
import { createGuard } from '../../src/web/guard.ts';
import { createTestDatabase } from '../support/database.ts';

type Answer = { status: number; body?: string | Buffer; headers?: Record<string, string> } | Error;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A policy over one database, a fetcher that answers from `answer`, and a clock that stands until it is moved. */
function setUp(database: Database, answer: (request: FetchRequest) => Answer | Promise<Answer>) {
  const log: string[] = [];
  const clock = { now: Date.UTC(2030, 0, 1) };
  const delays = new Map<string, number>();
  const fetcher: Fetcher = {
    async fetch(request) {
      log.push(`get ${request.url}`);
      const given = await answer(request);
      if (given instanceof Error) throw given;
      const { status, body = '', headers = {} } = given;
      const timings = { firstByteMs: 1, totalMs: 1 };
      return { url: request.url, status, headers, body: Buffer.from(body), redirects: [], timings };
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const { robots } = createPoliteClient({
    guard: createGuard([]),
    fetcher,
    robotsStore: createDatabaseRobots(database),
    settings: Settings.parse({ userAgent: 'crawl4r/0.1 (+https://example.com)' }),
    pace: {
      async enter(domain) {
        log.push(`turn ${domain}`);
        return {
          domain,
          domainId: '',
          proxyId: null,
          proxy: null,
          notAfter: undefined,
          started() {},
          missed() {},
          end: async () => {},
        };
      },
      async slowDown(domain, ms) {
        delays.set(domain, ms);
        return ms;
      },
    },
    now: () => clock.now,
  });
  const how = { deadlineAt: Number.POSITIVE_INFINITY };
  const policy = {
    check: (url: string, userAgent?: string) => robots.check(url, { ...how, userAgent }),
    rules: (origin: string) => robots.rules(origin, how),
  };
  return { policy, log, clock, delays };
}

describe('robots policy', () => {
  it('obeys the rules, asks once for all who wait, and takes a turn first', async () => {
    await using database = await createTestDatabase();
    const { policy, log, delays } = setUp(database, () => ({
      status: 200,
      body: 'user-agent: crawl4r\ndisallow: /private\ncrawl-delay: 3\nsitemap: https://shop.example.com/s.xml',
    }));
    const urls = ['/a', '/private/x', '/b'].map((path) => `https://shop.example.com${path}`);
    const verdicts = await Promise.all(urls.map((url) => policy.check(url)));
    assert.deepEqual(
      verdicts.map(({ allowed }) => allowed),
      [true, false, true],
    );
    assert.deepEqual(verdicts[0], { allowed: true, crawlDelayMs: 3_000 });
    assert.equal(!verdicts[1]!.allowed && verdicts[1]!.code, 'ROBOTS_DISALLOWED');
    assert.deepEqual(log, ['turn example.com', 'get https://shop.example.com/robots.txt']);
    assert.equal(delays.get('example.com'), 3_000);
    assert.deepEqual((await policy.rules(urls[0]!)).sitemaps, ['https://shop.example.com/s.xml']);
  });

  it('remembers for a day, also for the next process, and then asks again', async () => {
    await using database = await createTestDatabase();
    const answer = { status: 200, body: 'user-agent: *\ndisallow: /x' };
    const first = setUp(database, () => answer);
    await first.policy.check('https://a.example/x');
    const second = setUp(database, () => answer);
    second.clock.now += 23 * HOUR;
    assert.equal((await second.policy.check('https://a.example/x')).allowed, false);
    assert.deepEqual(second.log, []);
    second.clock.now += 2 * HOUR;
    answer.body = '';
    assert.equal((await second.policy.check('https://a.example/x')).allowed, true);
    assert.equal(second.log.length, 2);
  });

  it('allows everything when there is no file, or only redirects', async () => {
    await using database = await createTestDatabase();
    const answers: Record<string, Answer> = {
      'https://gone.example/robots.txt': { status: 404 },
      'https://closed.example/robots.txt': { status: 403 },
      'https://loop.example/robots.txt': new AppError('TOO_MANY_REDIRECTS', 'round and round'),
    };
    const { policy } = setUp(database, ({ url }) => answers[url]!);
    for (const host of ['gone', 'closed', 'loop'])
      assert.deepEqual(await policy.check(`https://${host}.example/x`), { allowed: true });
  });

  it('forbids everything while the file cannot be read, and asks ever less often', async () => {
    await using database = await createTestDatabase();
    let answer: Answer = { status: 503 };
    const { policy, log, clock } = setUp(database, () => answer);
    const url = 'https://busy.example/x';
    const waits: (number | undefined)[] = [];
    const reasons: (string | undefined)[] = [];
    for (const next of [
      { status: 503 },
      new AppError('CONNECTION_RESET', 'it broke off'),
      new AppError('TIMEOUT', '?'),
    ]) {
      answer = next;
      const verdict = await policy.check(url);
      assert.equal(verdict.allowed, false);
      assert.equal(!verdict.allowed && verdict.code, 'ROBOTS_UNAVAILABLE');
      waits.push(verdict.allowed ? undefined : verdict.retryAfterMs);
      reasons.push(verdict.allowed ? undefined : verdict.reason);
      await policy.check(url);
      clock.now += waits.at(-1)!;
    }
    assert.deepEqual(waits, [MINUTE, 2 * MINUTE, 4 * MINUTE]);
    assert.deepEqual(reasons, [
      'https://busy.example/robots.txt answers 503',
      'https://busy.example/robots.txt cannot be read: it broke off',
      'https://busy.example/robots.txt cannot be read: ?',
    ]);
    assert.equal(log.filter((line) => line.startsWith('get')).length, 3, 'not asked in between');
    answer = { status: 200 };
    assert.equal((await policy.check(url)).allowed, true);
  });

  it('waits as long as the site asks for', async () => {
    await using database = await createTestDatabase();
    const { policy, clock } = setUp(database, ({ url }) => ({
      status: 429,
      headers: { 'retry-after': url.includes('date') ? new Date(clock.now + 2 * HOUR).toUTCString() : '7200' },
    }));
    for (const host of ['date', 'seconds']) {
      const verdict = await policy.check(`https://${host}.example/`);
      assert.equal(!verdict.allowed && verdict.retryAfterMs, 2 * HOUR);
      await assert.rejects(policy.rules(`https://${host}.example`), { code: 'ROBOTS_UNAVAILABLE' });
    }
  });

  it('takes a turn for each redirect, and does not trust one into the local network', async () => {
    await using database = await createTestDatabase();
    const { policy, log } = setUp(database, async ({ url, onRedirect }) => {
      await onRedirect?.(url, 'https://other.example/robots.txt');
      return new AppError('URL_BLOCKED', 'private');
    });
    const verdict = await policy.check('https://moved.example/x');
    assert.equal(!verdict.allowed && verdict.code, 'ROBOTS_UNAVAILABLE');
    assert.deepEqual(log, ['turn moved.example', 'get https://moved.example/robots.txt', 'turn other.example']);
  });

  it('says so when the site itself is out of bounds or not there, and keeps nothing', async () => {
    await using database = await createTestDatabase();
    const { policy } = setUp(
      database,
      ({ url }) =>
        new AppError(
          url.includes('inside') ? 'URL_BLOCKED' : url.includes('port') ? 'CONNECT_FAILED' : 'DNS_FAILED',
          'no',
        ),
    );
    await assert.rejects(policy.check('https://inside.example/x'), { code: 'URL_BLOCKED' });
    await assert.rejects(policy.check('https://mistyped.example/x'), { code: 'DNS_FAILED' });
    await assert.rejects(policy.check('https://port.example:81/x'), { code: 'CONNECT_FAILED' });
    await assert.rejects(policy.check('not an address'), { code: 'URL_INVALID' });
    assert.deepEqual(await database.query('SELECT 1 FROM robots'), []);
  });

  it('keeps the longest delay of a domain, capped', async () => {
    await using database = await createTestDatabase();
    const { policy, delays } = setUp(database, ({ url }) => ({
      status: 200,
      body: `user-agent: *\ncrawl-delay: ${url.includes('slow') ? 5 : url.includes('stuck') ? 999_999 : 1}`,
    }));
    await policy.check('https://slow.example.com/');
    await policy.check('https://fast.example.com/');
    assert.equal(delays.get('example.com'), 5_000);
    await policy.check('https://stuck.example.org/');
    assert.equal(delays.get('example.org'), 60_000);
  });

  it('reads for the user agent of the request, and in any charset', async () => {
    await using database = await createTestDatabase();
    const { policy, log } = setUp(database, () => ({
      status: 200,
      body: Buffer.from('user-agent: special\ndisallow: /\nuser-agent: *\ndisallow: /caf\xe9', 'latin1'),
    }));
    assert.equal((await policy.check('https://a.example/x')).allowed, true);
    assert.equal((await policy.check('https://a.example/caf%E9')).allowed, false);
    assert.equal((await policy.check('https://a.example/x', 'special/1.0')).allowed, false);
    assert.equal(log.length, 2);
  });
});
