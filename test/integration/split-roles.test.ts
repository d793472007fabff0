import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { takeOverTasks } from '../../src/db/frontier/take-over.ts';
import { startDemoSite } from '../../src/demo/server.ts';
import { controlCrawl } from '../../src/operations/crawls/control-crawl.ts';
import { startCrawl, startDeepCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { controlTask } from '../../src/operations/tasks/control-task.ts';
import type { Role } from '../../src/roles/run-roles.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runFetcher, runParser, runWorker } from '../../src/roles/worker.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createEngine, type Engine, eventually } from '../support/engine.ts';
import { html, openSite, watchCrawls } from '../support/watch-crawls.ts';

/**
 * What a crawl leaves behind, without ids and times. Of the text only where it came from: what a site repeats is learned
 * page by page and left out, so that the text depends on their order.
 */
const resultOf = async ({ app, database }: Engine) => ({
  responses: await Promise.all(
    (await database.query<{ url: string; raw_ref: string }>('SELECT url, raw_ref FROM pages ORDER BY url')).map(
      async ({ url, raw_ref }) => [url, hash('sha256', (await app.blobs.get(raw_ref))!)],
    ),
  ),
  tasks: await database.query(
    `SELECT url, status, code, http_status, depth, attempt > 0 AS tried, raw_ref IS NOT NULL AS raw, parse_only
     FROM tasks ORDER BY url, visit`,
  ),
  pages: await database.query(
    `SELECT url, status, http_status, final_url, content_type, content_length, title, language, etag, last_modified,
       links_count, error_code, visits, raw_ref IS NOT NULL AS raw, raw_meta - '{downloaded,fetched_at,headers}'::text[] AS meta, raw_meta ? 'headers' AS headers,
       raw_meta ? 'downloaded' AS left_over
     FROM pages ORDER BY url`,
  ),
  documents: await database.query('SELECT url, title, language, content_type, version FROM documents ORDER BY url'),
  products: await database.query('SELECT url, name, price, currency, parser FROM products ORDER BY url'),
  crawls: await database.query(
    `SELECT status, pages_discovered, pages_crawled, pages_failed, pages_skipped, current_depth FROM crawls`,
  ),
  domains: await database.query('SELECT pages_fetched, pages_failed, circuit_failures FROM domains ORDER BY domain'),
});

describe('a fetcher and a parser', () => {
  it('end a crawl as a worker does', { timeout: 120_000 }, async () => {
    const results = [];
    for (const roles of [[runWorker], [runFetcher, runParser]] satisfies Role[][]) {
      // The port is part of every address, so that both crawls see the same site.
      await using site = await startDemoSite(results.length === 0 ? {} : { port: Number(new URL(origin).port) });
      origin = site.origin;
      await using engine = await createEngine();
      const { untilCrawl, ended, compare } = watchCrawls(() => engine);
      const stops = [runScheduler, ...roles].map((role) => engine.run(role));
      const { id } = await startDeepCrawl(engine.app, {
        url: `${site.origin}/shop/`,
        max_depth: 2,
        max_pages: 1_000,
        options: { include_patterns: ['*/shop/*'] },
      });
      await untilCrawl(id, ended);
      await compare(id);
      // What answers say about the site is noted after the pages: a role that has stopped has done so.
      await Promise.all(stops.map((stop) => stop()));
      results.push(await resultOf(engine));
    }
    const [{ documents, products }] = results as [(typeof results)[0]];
    assert.ok(
      documents.length > 30 && products.length > 30,
      `${documents.length} documents, ${products.length} products`,
    );
    assert.deepEqual(results[1], results[0]);
  });
  let origin = '';

  it('pass tasks on by their states, and the domain is free while they wait', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, path === '/a' ? ['/b'] : []);
    });
    await using engine = await createEngine();
    const { tasksOf, untilCrawl, ended, compare } = watchCrawls(() => engine);
    const statuses = async (id: string) => (await tasksOf(id)).map(({ status }) => status);
    const stopFetcher = engine.run(runFetcher);
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/a`, max_depth: 1, max_pages: 5 });
    await eventually(
      () => statuses(id),
      (all) => all.join() === 'downloaded',
    );
    const [held] = await engine.database.query(
      `SELECT count(*)::int AS leases FROM tasks WHERE lease_until IS NOT NULL OR completed_at IS NOT NULL`,
    );
    assert.deepEqual(held, { leases: 0 });
    const { id: second } = await startCrawl(engine.app, { urls: [`${site.origin}/c`] });
    await eventually(
      () => statuses(second),
      (all) => all.join() === 'downloaded',
    );
    const { status, pages_crawled } = await untilCrawl(id, () => true);
    assert.deepEqual([status, pages_crawled], ['running', 0]);

    await controlCrawl(engine.app, second, 'pause');
    assert.deepEqual(await statuses(second), ['paused']);
    engine.run(runParser);
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 2);
    await stopFetcher();
    await controlCrawl(engine.app, second, 'resume');
    assert.equal((await untilCrawl(second, ended)).pages_crawled, 1, 'a parser needs no fetcher for what is stored');
    assert.deepEqual(site.asked.sort(), ['/a', '/b', '/c', '/robots.txt']);

    const [task] = await tasksOf(second);
    await controlTask(engine.app, task!.id, 'restart-parsing');
    await eventually(
      () => tasksOf(second),
      ([row]) => row!.status === 'completed' && row!.attempt > task!.attempt,
    );
    assert.equal(site.asked.length, 4);
    await compare(second);
  });

  it('take over without reading the tasks that wait', async () => {
    await using engine = await createEngine();
    const { database } = engine;
    await seedCrawl(
      database,
      Array.from({ length: 3_000 }, (_, at) => `http://127.0.0.1:1/${at}`),
    );
    await database.query(`UPDATE tasks SET status = 'downloaded' WHERE id = (SELECT max(id::text)::uuid FROM tasks)`);
    await database.query('ANALYZE tasks');
    const plans: string[] = [];
    const explained = {
      query: async (text: string, values: readonly unknown[] = []) => {
        const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return [];
      },
    };
    await takeOverTasks(explained, { workerId: 'w', max: 10, leaseMs: 1_000 });
    assert.match(plans[0]!, /Index Scan using tasks_take_over_idx/);
    assert.doesNotMatch(plans[0]!, /Seq Scan on tasks/);
    const taken = await takeOverTasks(database, { workerId: 'w', max: 10, leaseMs: 60_000 });
    assert.deepEqual([taken.length, taken[0]!.attempt], [1, 1]);
    assert.deepEqual(await takeOverTasks(database, { workerId: 'x', max: 10, leaseMs: 60_000 }), []);
  });

  it('leave nothing behind that a worker does not end', async () => {
    await using site = await openSite((path, _request, response) => void (path === '/robots.txt' || html(response)));
    await using engine = await createEngine();
    const { tasksOf, untilCrawl, ended } = watchCrawls(() => engine);
    const stopFetcher = engine.run(runFetcher);
    const { id } = await startCrawl(engine.app, { urls: ['/a', '/b', '/c'].map((path) => site.origin + path) });
    await eventually(
      () => tasksOf(id),
      (tasks) => tasks.every(({ status }) => status === 'downloaded'),
    );
    await stopFetcher();
    engine.run(runWorker);
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 3);
    assert.equal(site.asked.length, 4, 'nothing is fetched twice');
  });
});
