import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { claimTasks, releaseTasks } from '../../src/db/frontier/frontier.ts';
import { finishTasks } from '../../src/db/tasks/finish-tasks.ts';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import type { Database, Sql } from '../../src/ports/database.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createTestDatabase } from '../support/database.ts';
import { createEngine, type Engine } from '../support/engine.ts';
import { html, openSite, watchCrawls, words } from '../support/watch-crawls.ts';

describe('what a claim passes by', () => {
  let database: Database & AsyncDisposable;
  before(async () => {
    // One connection: it counts what its statements read.
    database = await createTestDatabase({ poolSize: 1 });
  });
  after(() => database[Symbol.asyncDispose]());
  const claim = (sql: Sql = database) =>
    claimTasks(sql, {
      workerId: 'w',
      max: 20,
      leaseMs: 60_000,
      defaultRps: 0,
      defaultConcurrency: 20,
      windowMs: 2_000,
      aheadMs: 0,
    });
  const open = (domain: string) =>
    database.query(`UPDATE domains SET next_at = '-infinity' WHERE domain = $1`, [domain]);
  const isWaiting = async (domain: string) =>
    (await database.query<{ waiting: boolean }>('SELECT waiting FROM domains WHERE domain = $1', [domain]))[0]!.waiting;
  const urls = (domain: string, name: string) => [1, 2, 3].map((nth) => `http://${domain}/${name}${nth}`);

  it('a crawl that asks for a slower pace, which holds up no other', async () => {
    const slow = await seedCrawl(database, urls('slow.test', 'slow'), { pace_ms: 60_000, task: { priority: 1 } });
    const other = await seedCrawl(database, urls('slow.test', 'other'));
    const countOf = (tasks: { crawl_id: string }[], id: string) =>
      tasks.filter(({ crawl_id }) => crawl_id === id).length;
    const first = await claim();
    assert.deepEqual([countOf(first, slow), countOf(first, other)], [1, 3]);
    await open('slow.test');
    assert.equal((await claim()).length, 0, 'its time has not come');
    assert.equal(await isWaiting('slow.test'), true, 'and it is not forgotten');
    await database.query('UPDATE crawl_paces SET next_at = now() WHERE crawl_id = $1', [slow]);
    await open('slow.test');
    const next = await claim();
    assert.deepEqual([countOf(next, slow), next.length], [1, 1]);
    const [pace] = await database.query<{ left: number }>(
      'SELECT extract(epoch FROM next_at - now())::float8 AS left FROM crawl_paces WHERE crawl_id = $1',
      [slow],
    );
    assert.ok(pace!.left > 58, `${pace!.left} s`);
    await database.query('DELETE FROM crawls');
  });

  it('an address that is under way for another crawl, until that has its answer', async () => {
    const both = ['http://twin.test/same'];
    await seedCrawl(database, both);
    await seedCrawl(database, both);
    const [first, ...rest] = await claim();
    assert.equal(rest.length, 0);
    await open('twin.test');
    assert.equal((await claim()).length, 0);
    assert.equal(await isWaiting('twin.test'), true);
    await finishTasks(database, 'w', [
      {
        id: first!.id,
        attempt: first!.attempt,
        status: 'completed',
        code: null,
        message: null,
        http_status: 200,
        response_ms: 1,
        raw_ref: null,
        raw_meta: null,
        delay_ms: 0,
        failed: 0,
      },
    ]);
    await open('twin.test');
    const [second] = await claim();
    assert.notEqual(second!.crawl_id, first!.crawl_id);
    await releaseTasks(database, 'w', [second!]);
    await database.query('DELETE FROM crawls');
  });

  it('an address whose response is stored and waits for a parser', async () => {
    const both = ['http://stored.test/same'];
    const first = await seedCrawl(database, both);
    await seedCrawl(database, both);
    for (const status of ['downloaded', 'queued_parse']) {
      await database.query('UPDATE tasks SET status = $2 WHERE crawl_id = $1', [first, status]);
      await open('stored.test');
      await database.transaction(async (tx) => {
        assert.equal((await claim(tx)).length, 0, status);
        // Time stands still in a transaction.
        const [domain] = await tx.query(
          `SELECT waiting, next_at > now() AS later FROM domains WHERE domain = 'stored.test'`,
        );
        assert.deepEqual(domain, { waiting: true, later: true }, 'it is looked at again, but not at once');
      });
    }
    await database.query(`UPDATE tasks SET status = 'completed' WHERE crawl_id = $1`, [first]);
    await open('stored.test');
    assert.equal((await claim()).length, 1);
    await database.query('DELETE FROM crawls');
  });

  it('reads only as many tasks as it takes, however many wait', async () => {
    const id = await seedCrawl(database, urls('many.test', 'first'));
    await database.query(
      `INSERT INTO tasks (id, crawl_id, domain_id, url, url_hash, rank)
       SELECT gen_random_uuid(), $1, domain_id, url || n, sha256(convert_to(url || n, 'UTF8')), n
       FROM (SELECT domain_id, url FROM tasks WHERE crawl_id = $1 LIMIT 1) one, generate_series(1, 20000) AS n`,
      [id],
    );
    await database.query('ANALYZE tasks');
    const scanned = async () => {
      await database.query('SELECT pg_stat_force_next_flush()');
      const [index] = await database.query<{ read: number }>(
        `SELECT idx_tup_read AS read FROM pg_stat_user_indexes WHERE indexrelname = 'tasks_claim_idx'`,
      );
      return index!.read;
    };
    const before = await scanned();
    assert.equal((await claim()).length, 20);
    const read = (await scanned()) - before;
    assert.ok(read < 1_000, `${read} entries were read for 20 tasks`);
    await database.query('DELETE FROM crawls');
  });
});

describe('crawls beside each other', () => {
  let engine: Engine;
  before(async () => {
    engine = await createEngine();
    engine.run(runWorker);
    engine.run(runScheduler);
  });
  after(() => engine[Symbol.asyncDispose]());
  const { tasksOf, untilCrawl, ended } = watchCrawls(() => engine);

  it('take one answer of the site for the same address at the same moment', async () => {
    const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      arrived();
      void answered.then(() => html(response));
    });
    const urls = [`${site.origin}/page`];
    const first = await startCrawl(engine.app, { urls });
    await asked;
    const second = await startCrawl(engine.app, { urls });
    const withHeaders = await startCrawl(engine.app, { urls, options: { headers: { authorization: 'mine' } } });
    answer();
    for (const { id } of [first, second, withHeaders]) assert.equal((await untilCrawl(id, ended)).pages_crawled, 1);
    assert.equal(
      site.asked.filter((path) => path === '/page').length,
      2,
      'once for both, once with headers of its own',
    );
    assert.deepEqual(
      (await tasksOf(second.id)).map(({ status, http_status }) => [status, http_status]),
      [['completed', 200]],
    );
  });

  it('never take an answer that another crawl’s headers brought', async () => {
    const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const seen: (string | undefined)[] = [];
    await using site = await openSite((path, request, response) => {
      if (path === '/robots.txt') return;
      seen.push(request.headers.authorization);
      arrived();
      void answered.then(() => html(response, [], `${words} ${request.headers.authorization ?? 'for everybody'}`));
    });
    const urls = [`${site.origin}/page`];
    const first = await startCrawl(engine.app, { urls, options: { headers: { authorization: 'mine' } } });
    await asked;
    const second = await startCrawl(engine.app, { urls });
    answer();
    for (const { id } of [first, second]) await untilCrawl(id, ended);
    assert.deepEqual(seen, ['mine', undefined]);
  });

  it('may ask for less than a domain allows, for themselves only', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, [], `${words} ${path}`);
    });
    const paths = (name: string) => [1, 2, 3, 4].map((nth) => `${site.origin}/${name}${nth}`);
    const slow = await startCrawl(engine.app, { urls: paths('slow'), options: { rate_limit_rps: 0.001 } });
    const any = await startCrawl(engine.app, { urls: paths('any'), options: { rate_limit_rps: 0 } });
    assert.equal((await untilCrawl(any.id, ended)).pages_crawled, 4);
    const { pages_crawled } = await untilCrawl(slow.id, (crawl) => crawl.pages_crawled > 0);
    assert.equal(pages_crawled, 1);
    const [domain] = await engine.database.query('SELECT rate_limit_rps FROM domains WHERE domain = $1', [
      `127.0.0.1:${site.port}`,
    ]);
    assert.deepEqual(domain, { rate_limit_rps: null });
  });
});
