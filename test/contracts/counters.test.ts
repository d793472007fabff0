import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryCache } from '../../src/drivers/cache/memory.ts';
import { createPostgresCounters } from '../../src/drivers/counters/postgres.ts';
import { createPostgresDatabase } from '../../src/drivers/database/postgres.ts';
import { createTestDatabase } from '../support/database.ts';
import { countersContract } from './counters.contract.ts';
import { runContract } from './support/contract.ts';
import { until } from './support/until.ts';

runContract(countersContract, 'memory cache', async () => {
  let clock = 1;
  const cache = createMemoryCache({ maxMb: 4, now: () => clock });
  return {
    open: async () => cache,
    advance: async (ms) => {
      clock += ms;
    },
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  };
});

runContract(countersContract, 'postgres', async () => {
  const database = await createTestDatabase();
  const others: AsyncDisposable[] = [];
  return {
    async open() {
      const own = await createPostgresDatabase({ url: database.url, poolSize: 2 });
      others.push(own);
      return createPostgresCounters({ database: own });
    },
    advance: sleep,
    async [Symbol.asyncDispose]() {
      for (const own of others) await own[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
});

it('says whether other processes count with it', async () => {
  await using cache = createMemoryCache({ maxMb: 4 });
  assert.equal(cache.shared, false);
  await using database = await createTestDatabase();
  assert.equal(createPostgresCounters({ database }).shared, true);
});

it('removes windows that are over, and only those', async () => {
  await using database = await createTestDatabase();
  let clock = 0;
  const counters = createPostgresCounters({ database, now: () => clock });
  await counters.increment('over', 1, 1);
  await counters.increment('open', 1, 60_000);
  await sleep(5);
  clock += 31_000;
  await counters.increment('open', 1, 60_000);
  const keys = async () => (await database.query<{ key: string }>('SELECT key FROM counters')).map(({ key }) => key);
  await until(async () => (await keys()).length === 1);
  assert.deepEqual(await keys(), ['open']);
});
