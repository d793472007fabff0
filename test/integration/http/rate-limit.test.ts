import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { createPostgresCounters } from '../../../src/drivers/counters/postgres.ts';
import { createPostgresDatabase } from '../../../src/drivers/database/postgres.ts';
import { newId } from '../../../src/ids.ts';
import { createLog } from '../../../src/log.ts';
import type { Caller } from '../../../src/operations/access/caller.ts';
import type { Counters } from '../../../src/ports/counters.ts';
import type { Database } from '../../../src/ports/database.ts';
import { createRateLimiter, type RateLimiter } from '../../../src/surfaces/http/rate-limit.ts';
import { createServer } from '../../../src/surfaces/http/server.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const PROCESSES = 4;
const log = createLog({ level: 'silent', stream: { write: () => {} } });

/** Headers only: the limiter needs no more of a reply. */
function fakeReply() {
  const headers: Record<string, string> = {};
  return {
    headers,
    reply: { header: (name: string, value: string) => (headers[name] = value) } as never as FastifyReply,
  };
}

const callerOf = (rpm: number): Caller => ({ kind: 'key', name: `key:${newId()}`, scopes: ['read'], rpm });

async function passes(limiter: RateLimiter, caller: Caller): Promise<boolean> {
  try {
    await limiter.limit(caller, fakeReply().reply, undefined);
    return true;
  } catch {
    return false;
  }
}

describe('limits over several processes', () => {
  let api: TestApi;
  let databases: Database[];
  before(async () => {
    api = await createTestApi();
    databases = await Promise.all(
      Array.from({ length: PROCESSES }, () => createPostgresDatabase({ url: api.app.database.url, poolSize: 2 })),
    );
  });
  after(async () => {
    for (const database of databases) await database[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  it('never let more than the limit through, and never refuse before it but for what others reserved', async () => {
    const burst = fc.record({ process: fc.nat(PROCESSES - 1), requests: fc.integer({ min: 1, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: PROCESSES }),
        fc.array(fc.array(burst, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (rpm, count, waves) => {
          const limiters = databases.slice(0, count).map((database) => {
            const counters = createPostgresCounters({ database });
            return createRateLimiter({ counters, log, now: () => 0 });
          });
          const caller = callerOf(rpm);
          let [passed, refused, asked] = [0, 0, 0];
          for (const wave of waves) {
            // The bursts of a wave come at once, to different processes or the same.
            const sent = wave.flatMap(({ process, requests }) =>
              Array.from({ length: requests }, () => passes(limiters[process % count]!, caller)),
            );
            asked += sent.length;
            for (const fits of await Promise.all(sent)) fits ? passed++ : refused++;
          }
          assert.ok(passed <= rpm, `${passed} of ${rpm}`);
          const block = Math.max(1, Math.floor(rpm / 20));
          const lost = (count - 1) * (block - 1);
          if (refused > 0) assert.ok(passed >= rpm - lost, `${passed} of ${rpm}, ${lost} reserved elsewhere`);
          else assert.equal(passed, asked);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('hold for servers on one database, and the next minute starts anew', async () => {
    let minute = 0;
    const servers: FastifyInstance[] = databases.map((database) =>
      createServer(
        { ...api.app, database, counters: createPostgresCounters({ database }) },
        { now: () => minute * 60_000 },
      ),
    );
    try {
      const { key } = (await api.call('POST', '/api-keys', { name: 'shared', rate_limit_rpm: 40 })).body;
      const ask = async (server: FastifyInstance) => {
        const headers = { authorization: `Bearer ${key}` };
        return (await server.inject({ method: 'GET', url: '/api/v1/tags', headers })).statusCode;
      };
      for (; minute < 2; minute++) {
        const statuses = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(servers[at % PROCESSES]!)));
        const passed = statuses.filter((status) => status === 200).length;
        assert.equal(statuses.filter((status) => status === 429).length, 100 - passed);
        assert.ok(passed <= 40 && passed >= 40 - (PROCESSES - 1), `${passed} of 40`);
      }
    } finally {
      for (const server of servers) await server.close();
    }
  });
});

describe('the limiter', () => {
  /** Counters in memory that report how often they were asked. */
  function countingCounters() {
    let [asked, total] = [0, 0];
    const counters: Counters = {
      shared: true,
      increment: async (_key, by) => {
        asked++;
        total += by;
        return total;
      },
      delete: async () => {},
    };
    return { counters, asked: () => asked };
  }

  it('asks the counters for one request in twenty, and not at all once the window is spent', async () => {
    const { counters, asked } = countingCounters();
    const limiter = createRateLimiter({ counters, log, now: () => 0 });
    const caller = callerOf(500);
    for (let count = 0; count < 500; count++) assert.ok(await passes(limiter, caller));
    assert.equal(asked(), 20);
    for (let count = 0; count < 500; count++) assert.ok(!(await passes(limiter, caller)));
    assert.equal(asked(), 20);
  });

  it('says what is left in the words of the draft, down to the last request', async () => {
    const { counters } = countingCounters();
    const limiter = createRateLimiter({ counters, log, now: () => 45_000 });
    const caller = callerOf(60);
    for (let left = 59; left >= 0; left--) {
      const { reply, headers } = fakeReply();
      await limiter.limit(caller, reply, undefined);
      assert.deepEqual(headers, { 'ratelimit-policy': '"default";q=60;w=60', ratelimit: `"default";r=${left};t=15` });
    }
    const { reply, headers } = fakeReply();
    await assert.rejects(async () => limiter.limit(caller, reply, undefined), {
      code: 'RATE_LIMITED',
      retryAfterMs: 15_000,
    });
    assert.equal(headers.ratelimit, '"default";r=0;t=15');
  });

  it('lets requests through while the counters do not answer, says so, and counts again after', async () => {
    const events: string[] = [];
    const told = createLog({ level: 'warn', stream: { write: (line) => events.push(JSON.parse(line).event) } });
    for (const failing of [() => Promise.reject(new Error('down')), () => new Promise<number>(() => {})]) {
      const { counters } = countingCounters();
      let down = true;
      const limiter = createRateLimiter({
        counters: { ...counters, increment: (...args) => (down ? failing() : counters.increment(...args)) },
        log: told,
        now: () => 0,
      });
      const caller = callerOf(1);
      const started = performance.now();
      for (let count = 0; count < 5; count++) assert.ok(await passes(limiter, caller));
      assert.ok(performance.now() - started < 5_000, 'one request waits for the counters, not each');
      down = false;
      const until = performance.now() + 10_000;
      while (await passes(limiter, caller)) {
        assert.ok(performance.now() < until, 'it never counted again');
        await new Promise((done) => setTimeout(done, 20));
      }
    }
    assert.ok(events.length >= 2 && events.every((event) => event === 'rate_limit_down'), events.join());
  });
});
