import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCrawlRow } from '../../src/db/crawls/crawls.ts';
import { claimTasks, markWaiting } from '../../src/db/frontier/frontier.ts';
import { pauseTasks, resumeTasks } from '../../src/db/tasks/control-tasks.ts';
import { createScope } from '../../src/pipeline/frontier/scope.ts';
import type { PageOutcome } from '../../src/pipeline/outcome.ts';
import { storeBatch } from '../../src/pipeline/store/store-batch.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createTestDatabase } from '../support/database.ts';

test('of two attempts at a task in one batch, only the latest is stored and counted', async () => {
  await using database = await createTestDatabase();
  const crawlId = await seedCrawl(database, ['http://twice.test/']);
  const row = (await getCrawlRow(database, crawlId))!;
  const claim = async () => {
    const limits = { workerId: 'w', max: 10, leaseMs: 60_000, defaultRps: 0, defaultConcurrency: 10 };
    const [task] = await claimTasks(database, { ...limits, windowMs: 2_000, aheadMs: 100 });
    return task!;
  };
  const stale = await claim();
  await pauseTasks(database, { crawlId });
  await resumeTasks(database, { crawlId });
  await markWaiting(database, [stale.domain_id]);
  const fresh = await claim();
  assert.deepEqual([stale.attempt, fresh.attempt], [1, 2]);
  const outcome = (task: typeof stale): PageOutcome => ({
    task,
    crawl: { row, scope: createScope([], {}), seen: new Set() },
    candidates: [],
    refused: {},
    feedback: {},
    result: {
      status: 'completed',
      code: null,
      message: null,
      http_status: 200,
      response_ms: 1,
      raw_meta: null,
      delay_ms: 0,
      failed: 0,
    },
  });
  const result = await storeBatch(
    database,
    { workerId: 'w', maxNewUrlsPerSecond: 0, maxRetries: 3, recurrence: { floorS: 1, ceilingS: 2 } },
    { outcomes: [outcome(stale), outcome(fresh)], rawRefs: new Map(), domainIds: new Map() },
  );
  assert.deepEqual(
    result.accepted.map(({ task }) => task.attempt),
    [2],
  );
  assert.equal((await getCrawlRow(database, crawlId))!.pages_crawled, 1);
});

test('a site that asks to slow down is closed in the transaction that ends its task', async () => {
  await using database = await createTestDatabase();
  const crawlId = await seedCrawl(database, ['http://slow.test/1', 'http://slow.test/2']);
  const row = (await getCrawlRow(database, crawlId))!;
  const limits = { workerId: 'w', max: 10, leaseMs: 60_000, defaultRps: 0, defaultConcurrency: 1 };
  const claim = () => claimTasks(database, { ...limits, windowMs: 2_000, aheadMs: 100 });
  const [task] = await claim();
  const result = { status: 'pending', code: 'HTTP_429', message: null, http_status: 429, response_ms: 1 } as const;
  await storeBatch(
    database,
    { workerId: 'w', maxNewUrlsPerSecond: 0, maxRetries: 3, recurrence: { floorS: 1, ceilingS: 2 } },
    {
      outcomes: [
        {
          task: task!,
          crawl: { row, scope: createScope([], {}), seen: new Set() },
          candidates: [],
          refused: {},
          feedback: { ok: false, slowDown: true, pauseMs: 3_000_000 },
          result: { ...result, raw_meta: null, delay_ms: 3_000_000, failed: 1 },
        },
      ],
      rawRefs: new Map(),
      domainIds: new Map(),
    },
  );
  // What slows it down for longer follows in a transaction of its own.
  assert.deepEqual(await claim(), []);
});
