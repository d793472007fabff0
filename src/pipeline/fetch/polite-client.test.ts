import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import type { Fetcher, FetchResponse } from '../../ports/fetcher.ts';
import { createGuard } from '../../web/guard.ts';
import type { Pace } from './pace.ts';
import { createPoliteClient, type HomeTurn, type Way } from './polite-client.ts';
import { createMemoryRobots } from './robots-store.ts';
import { Turn } from './turn.ts';

const answer = (url: string, body = ''): FetchResponse => ({
  url,
  status: 200,
  headers: {},
  body: Buffer.from(body),
  redirects: [],
  timings: { firstByteMs: 1, totalMs: 1 },
});

/** A client over a pace that is always open; `log` has each place from its beginning to its end, and each request. */
function setUp(robots: Record<string, string> = {}, pace: Partial<Pace> = {}) {
  const log: string[] = [];
  const fetcher: Fetcher = {
    async fetch(request) {
      request.onStart?.();
      log.push(`get ${request.url}`);
      return answer(request.url, robots[new URL(request.url).host] ?? '');
    },
    async [Symbol.asyncDispose]() {},
  };
  const client = createPoliteClient({
    guard: createGuard([]),
    fetcher,
    robotsStore: createMemoryRobots(),
    settings: Settings.parse({}),
    pace: {
      async enter(domain) {
        log.push(`enter ${domain}`);
        return {
          domain,
          domainId: `id of ${domain}`,
          proxyId: null,
          proxy: null,
          notAfter: undefined,
          started() {},
          missed: () => void log.push(`missed ${domain}`),
          end: async () => void log.push(`leave ${domain}`),
        };
      },
      slowDown: async (_domain, delayMs) => delayMs,
      ...pace,
    },
  });
  const visit = (url: string, hops: string[], home?: HomeTurn, robotsToo = true) =>
    client.visit(url, { deadlineAt: Number.POSITIVE_INFINITY, home, robots: robotsToo }, async (way: Way) => {
      way.onStart!();
      log.push(`get ${url}`);
      for (const hop of hops) {
        await way.onRedirect!(url, hop);
        way.onStart!();
        log.push(`get ${hop}`);
      }
      return answer(url);
    });
  return { log, client, visit };
}

function homeTurn(terms: { paceMs?: number; delayMs?: number; lengthMs?: number }, log: string[]): HomeTurn {
  const now = performance.now();
  const turn = new Turn(
    { paceMs: 0, delayMs: 0, stepMs: 0, lengthMs: 60_000, waitMs: 0, tasks: 1, ...terms },
    now,
    now,
  );
  return {
    taskId: '1',
    domain: 'home.test',
    domainId: 'id of home.test',
    proxyId: null,
    proxy: null,
    delayMs: terms.delayMs ?? 0,
    turn,
    isClosed: () => false,
    left: () => void log.push('left home.test'),
  };
}

describe('the polite client', () => {
  test('asks robots.txt by the same way, then takes a place for each hop, one at a time', async () => {
    const { log, visit } = setUp();
    await visit('https://a.test/x', ['https://b.test/y']);
    assert.deepEqual(log, [
      ...[
        'enter a.test',
        'get https://a.test/robots.txt',
        'leave a.test',
        'enter a.test',
        'get https://a.test/x',
        'leave a.test',
      ],
      ...[
        'enter b.test',
        'get https://b.test/robots.txt',
        'leave b.test',
        'enter b.test',
        'get https://b.test/y',
        'leave b.test',
      ],
    ]);
  });

  test('what robots.txt forbids is not asked for, and takes no place', async () => {
    const { log, visit } = setUp({ 'a.test': 'user-agent: *\ndisallow: /private' });
    await assert.rejects(visit('https://a.test/private/x', []), { code: 'ROBOTS_DISALLOWED' });
    assert.deepEqual(log, ['enter a.test', 'get https://a.test/robots.txt', 'leave a.test']);
    await assert.rejects(visit('https://b.test/x', ['https://a.test/private/y']), { code: 'ROBOTS_DISALLOWED' });
    assert.ok(!log.includes('get https://a.test/private/y'));
  });

  test('an address out of bounds is refused at once, a redirect there too', async () => {
    const { log, visit } = setUp();
    await assert.rejects(visit('http://127.0.0.1/', []), { code: 'URL_BLOCKED' });
    assert.deepEqual(log, []);
    await assert.rejects(visit('https://a.test/', ['http://169.254.169.254/'], undefined, false), {
      code: 'URL_BLOCKED',
    });
    assert.equal(log.at(-1), 'leave a.test', 'its place is given back');
  });

  test("a task's requests to its own domain go in its turn, robots.txt and redirects included", async () => {
    for (const terms of [{}, { paceMs: 2 }, { delayMs: 2 }]) {
      const { log, visit } = setUp();
      const home = homeTurn(terms, log);
      await visit('https://home.test/old', ['https://home.test/new', 'https://www.home.test/new'], home);
      assert.deepEqual(
        log.filter((line) => !line.startsWith('get')),
        [],
      );
      assert.equal(log.length, 5, log.join(', '));
      assert.equal(home.turn!.used, true);
    }
  });

  test('a redirect elsewhere leaves the turn; one that comes back then takes a place like any other', async () => {
    const { log, visit } = setUp();
    const hops = ['https://b.test/y', 'https://home.test/z'];
    await visit('https://home.test/x', hops, homeTurn({ delayMs: 1 }, log), false);
    assert.deepEqual(log, [
      ...['get https://home.test/x', 'left home.test', 'enter b.test', 'get https://b.test/y', 'leave b.test'],
      ...['enter home.test', 'get https://home.test/z', 'leave home.test'],
    ]);
  });

  test('a turn that is over sends nothing', async () => {
    const { log, visit } = setUp();
    await assert.rejects(visit('https://home.test/x', [], homeTurn({ paceMs: 5, lengthMs: -1 }, log), false), {
      code: 'TURN_OVER',
    });
    assert.deepEqual(log, []);
  });

  test('a longer delay in robots.txt ends a turn that was made for a shorter one', async () => {
    const { log, visit } = setUp({ 'home.test': 'user-agent: *\ncrawl-delay: 9' });
    await assert.rejects(visit('https://home.test/x', [], homeTurn({}, log)), { code: 'TURN_OVER' });
    assert.deepEqual(log, ['get https://home.test/robots.txt']);
  });

  test('a failure says where it happened', async () => {
    const { client, log } = setUp();
    const home = homeTurn({}, log);
    const options = { deadlineAt: Number.POSITIVE_INFINITY, home, robots: false };
    const failing = client.visit('https://home.test/', options, async (way) => {
      await way.onRedirect!('https://home.test/', 'https://b.test/');
      throw new AppError('CONNECT_FAILED', 'nobody there');
    });
    await assert.rejects(failing, (error: AppError) => {
      assert.deepEqual(error.failure, { domain: 'b.test', domainId: 'id of b.test', proxyId: null, elsewhere: true });
      return true;
    });
  });

  test('a start that is missed is tried again with a new place, so many times', async () => {
    const { client, log } = setUp();
    let misses = 2;
    const send = async () => {
      if (misses-- > 0) throw new AppError('TURN_OVER', 'too late');
      return 'sent';
    };
    const options = { deadlineAt: Number.POSITIVE_INFINITY, robots: false };
    assert.equal(await client.visit('https://a.test/', options, send), 'sent');
    assert.equal(log.filter((line) => line === 'missed a.test').length, 2);
    misses = Number.POSITIVE_INFINITY;
    await assert.rejects(client.visit('https://a.test/', options, send), { code: 'TURN_OVER' });
  });
});
