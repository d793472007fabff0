import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { getCrawlRow } from '../../src/db/crawls/crawls.ts';
import { crawlDelta, settleCrawls } from '../../src/db/crawls/settle-crawls.ts';
import { claimTasks } from '../../src/db/frontier/frontier.ts';
import { finishTasks } from '../../src/db/tasks/finish-tasks.ts';
import { controlCrawl } from '../../src/operations/crawls/control-crawl.ts';
import { controlTask } from '../../src/operations/tasks/control-task.ts';
import { retryFailed } from '../../src/scheduler/retry-failed.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createEngine, type Engine } from '../support/engine.ts';

let engine: Engine;
before(async () => {
  engine = await createEngine();
});
after(() => engine[Symbol.asyncDispose]());
afterEach(() => engine.database.query('DELETE FROM crawls'));

/** Claims everything that is ready and lets it fail for good, to be tried again after `retryMs`. */
async function failAll(crawlId: string, only: string, retryMs: number | undefined): Promise<void> {
  const { database } = engine;
  await database.query("UPDATE domains SET waiting = true, next_at = '-infinity'");
  const tasks = await claimTasks(database, {
    workerId: 'w',
    max: 100,
    leaseMs: 60_000,
    defaultRps: 0,
    defaultConcurrency: 100,
    windowMs: 2_000,
    aheadMs: 100,
  });
  const ours = tasks.filter(({ url }) => url.includes(only));
  const rest = { http_status: null, response_ms: null, raw_ref: null, raw_meta: null, delay_ms: 0, failed: 1 };
  await database.transaction(async (tx) => {
    await finishTasks(
      tx,
      'w',
      ours.map(({ id, attempt }) => ({
        ...rest,
        id,
        attempt,
        status: 'failed',
        code: 'TIMEOUT',
        message: 'slow',
        ...(retryMs === undefined ? {} : { retry_ms: retryMs }),
      })),
    );
    await settleCrawls(tx, [crawlDelta(crawlId, { failed: ours.length })]);
  });
}

const tasksOf = (crawlId: string) =>
  engine.database.query<{ id: string; status: string; dlq_retries: number; retry_at: Date | null }>(
    'SELECT id, status, dlq_retries, retry_at FROM tasks WHERE crawl_id = $1 ORDER BY url',
    [crawlId],
  );

describe('the dead-letter list', () => {
  it('brings tasks back when their time has come, and the counters follow', async () => {
    const id = await seedCrawl(engine.database, ['http://dlq.test/a', 'http://dlq.test/b']);
    await failAll(id, '/a', 60_000);
    assert.equal(await retryFailed(engine.app), 0, 'not yet');
    await engine.database.query("UPDATE tasks SET retry_at = now() - interval '1 s' WHERE retry_at IS NOT NULL");
    const all = await Promise.all([1, 2, 3].map(() => retryFailed(engine.app)));
    assert.equal(
      all.reduce((sum, each) => sum + each, 0),
      1,
    );
    const [a] = await tasksOf(id);
    assert.deepEqual([a!.status, a!.dlq_retries, a!.retry_at], ['pending', 1, null]);
    const crawl = (await getCrawlRow(engine.database, id))!;
    assert.deepEqual([crawl.status, crawl.pages_failed, crawl.pages_discovered], ['running', 0, 2]);
  });

  it('leaves a crawl that has ended alone, and forgets the appointment', async () => {
    const id = await seedCrawl(engine.database, ['http://over.test/a']);
    await failAll(id, '/a', 0);
    assert.equal((await getCrawlRow(engine.database, id))!.status, 'failed');
    assert.equal(await retryFailed(engine.app), 0);
    const [task] = await tasksOf(id);
    assert.deepEqual([task!.status, task!.retry_at], ['failed', null]);
  });

  it('opens it again where the settings say so, and it ends anew', async () => {
    const id = await seedCrawl(engine.database, ['http://again.test/a']);
    await failAll(id, '/a', 0);
    const settings = { ...engine.app.settings, job: { ...engine.app.settings.job, deadLetterReopens: true } };
    assert.equal(await retryFailed({ ...engine.app, settings }), 1);
    assert.deepEqual(
      [(await getCrawlRow(engine.database, id))!.status, (await getCrawlRow(engine.database, id))!.pages_failed],
      ['running', 0],
    );
    await failAll(id, '/a', undefined);
    assert.equal((await getCrawlRow(engine.database, id))!.status, 'failed');
  });

  it('waits with a paused crawl, and never touches a cancelled one', async () => {
    const paused = await seedCrawl(engine.database, ['http://paused.test/a', 'http://paused.test/b']);
    await failAll(paused, '/a', 0);
    await controlCrawl(engine.app, paused, 'pause');
    assert.equal(await retryFailed(engine.app), 0);
    await controlCrawl(engine.app, paused, 'resume');
    assert.equal(await retryFailed(engine.app), 1);
    await failAll(paused, '/a', 0);
    await controlCrawl(engine.app, paused, 'cancel');
    assert.equal(await retryFailed(engine.app), 0);
    const row = (await getCrawlRow(engine.database, paused))!;
    assert.deepEqual([row.status, row.pages_failed, row.pages_cancelled], ['cancelled', 1, 1]);
  });

  it('a restart by hand starts the count over', async () => {
    const id = await seedCrawl(engine.database, ['http://hand.test/a', 'http://hand.test/b']);
    await failAll(id, '/a', 0);
    await retryFailed(engine.app);
    await failAll(id, '/a', undefined);
    const [before] = await tasksOf(id);
    assert.equal(before!.dlq_retries, 1);
    const task = await controlTask(engine.app, before!.id, 'restart');
    assert.deepEqual([task.status, task.dlq_retries], ['pending', 0]);
  });
});
