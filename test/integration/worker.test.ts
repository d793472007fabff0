import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addHold, getCrawlRow } from '../../src/db/crawls/crawls.ts';
import { controlCrawl } from '../../src/operations/crawls/control-crawl.ts';
import { startCrawl, startDeepCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { getDomain } from '../../src/operations/domains/get-domain.ts';
import { resetDomain } from '../../src/operations/domains/reset-domain.ts';
import { updateDomain } from '../../src/operations/domains/update-domain.ts';
import { controlTask } from '../../src/operations/tasks/control-task.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { eventually, useEngine } from '../support/engine.ts';
import { html, openSite, watchCrawls, words } from '../support/watch-crawls.ts';
import { startWebServer } from '../support/web-server.ts';

describe('a worker and a scheduler', () => {
  const engine = useEngine([runWorker, runScheduler], { CIRCUIT_BREAKER__THRESHOLD: '100' });

  const { tasksOf, untilCrawl, ended, compare } = watchCrawls(() => engine);
  const errorsOf = (taskId: string) =>
    engine.database.query<{ attempt: number; category: string; code: string }>(
      'SELECT attempt, category, code FROM task_errors WHERE task_id = $1 ORDER BY attempt',
      [taskId],
    );

  it('tries again what may pass, once what may not, and leaves a row for each failure', async () => {
    const seen = new Map<string, number>();
    await using site = await openSite((path, request, response) => {
      const times = (seen.get(path) ?? 0) + 1;
      seen.set(path, times);
      if (path === '/robots.txt') return;
      if (path === '/shaky' && times < 3) response.writeHead(503).end();
      else if (path === '/broken') response.writeHead(500).end();
      else if (path === '/gone') response.writeHead(404).end();
      else if (path === '/reset') request.socket.destroy();
      else html(response);
    });
    const urls = ['/shaky', '/broken', '/gone', '/reset', '/fine'].map((path) => site.origin + path);
    const { id } = await startCrawl(engine.app, { urls, options: { max_retries: 2 } });
    await engine.database.query('UPDATE domains SET throttle_ms = 0 WHERE domain = $1', [`127.0.0.1:${site.port}`]);
    const crawl = await untilCrawl(id, ended);
    assert.deepEqual([crawl.status, crawl.pages_crawled, crawl.pages_failed], ['completed', 2, 3]);
    const [broken, fine, gone, reset, shaky] = await tasksOf(id);
    assert.deepEqual([fine!.status, fine!.attempt, fine!.code], ['completed', 1, null]);
    assert.deepEqual([shaky!.status, shaky!.attempt], ['completed', 3]);
    assert.deepEqual([broken!.status, broken!.attempt, broken!.code], ['failed', 3, 'HTTP_5XX']);
    assert.deepEqual([gone!.status, gone!.attempt, gone!.code, gone!.http_status], ['failed', 1, 'HTTP_4XX', 404]);
    assert.deepEqual([reset!.status, reset!.code], ['failed', 'CONNECTION_RESET']);
    assert.deepEqual([broken!.retry_at !== null, gone!.retry_at], [true, null], 'only what may pass has a later date');
    assert.deepEqual(await errorsOf(broken!.id), [
      { attempt: 1, category: 'http', code: 'HTTP_5XX' },
      { attempt: 2, category: 'http', code: 'HTTP_5XX' },
      { attempt: 3, category: 'http', code: 'HTTP_5XX' },
    ]);
    assert.deepEqual(
      (await errorsOf(shaky!.id)).map(({ code }) => code),
      ['HTTP_5XX', 'HTTP_5XX'],
    );
    assert.equal((await errorsOf(reset!.id))[0]!.category, 'network');
    await compare(id);
  });

  it('429 stops the whole domain for as long as it asks', async () => {
    let angry = true;
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      if (angry) response.writeHead(429, { 'retry-after': '3000' }).end();
      else html(response);
    });
    const domain = `127.0.0.1:${site.port}`;
    await updateDomain(engine.app, domain, { max_concurrency: 1 });
    const urls = ['/a', '/b', '/c'].map((path) => site.origin + path);
    const { id } = await startCrawl(engine.app, { urls });
    const paused = await eventually(
      () =>
        engine.database.query<{ pause_s: number; throttle_ms: number }>(
          'SELECT extract(epoch FROM next_at - now())::float8 AS pause_s, throttle_ms FROM domains WHERE domain = $1',
          [domain],
        ),
      ([row]) => row!.pause_s > 2_500,
    );
    assert.ok(paused[0]!.throttle_ms > 0);
    const refused = (await tasksOf(id)).filter(({ code }) => code === 'HTTP_429');
    assert.equal(refused.length, site.asked.filter((path) => path !== '/robots.txt').length);
    assert.ok(refused.every(({ status, ready, due_in_s }) => status === 'pending' && !ready && due_in_s > 2_500));
    angry = false;
    await engine.database.query('UPDATE tasks SET due_at = now() WHERE crawl_id = $1', [id]);
    await resetDomain(engine.app, domain);
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 3);
    await compare(id);
  });

  it('what robots.txt forbids is skipped with its reason and never asked for', async () => {
    await using site = await startWebServer((request, response) => {
      if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /private');
      else html(response, ['/private/page', '/open']);
    });
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 2, max_pages: 10 });
    const crawl = await untilCrawl(id, ended);
    assert.deepEqual([crawl.pages_crawled, crawl.pages_skipped], [2, 1]);
    const skipped = (await tasksOf(id)).filter(({ status }) => status === 'skipped');
    assert.deepEqual(
      skipped.map(({ code, url }) => [code, new URL(url).pathname]),
      [['ROBOTS_DISALLOWED', '/private/page']],
    );
    assert.ok(!site.asked.includes('/private/page'));
  });

  it('a second crawl asks conditionally, and 304 counts as a visit whose links are followed', async () => {
    const conditions: (string | undefined)[] = [];
    await using site = await openSite((path, request, response) => {
      if (path === '/robots.txt') return;
      if (path === '/') conditions.push(request.headers['if-none-match']);
      response.setHeader('etag', `"${path}"`);
      if (request.headers['if-none-match'] === `"${path}"`) response.writeHead(304).end();
      else html(response, ['/next']);
    });
    const walk = async () => {
      const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 1, max_pages: 5 });
      await untilCrawl(id, ended);
      return tasksOf(id);
    };
    const first = await walk();
    const second = await walk();
    assert.deepEqual(conditions, [undefined, '"/"']);
    assert.deepEqual(
      [first, second].map((tasks) => tasks.map(({ status, http_status }) => [status, http_status])),
      [
        [
          ['completed', 200],
          ['completed', 200],
        ],
        [
          ['completed', 304],
          ['completed', 304],
        ],
      ],
    );
    const pages = await engine.database.query<{ visits: number }>('SELECT visits FROM pages WHERE url LIKE $1', [
      `${site.origin}/%`,
    ]);
    assert.deepEqual(
      pages.map(({ visits }) => visits),
      [2, 2],
    );
  });

  it('pause, resume and cancel in mid-crawl leave the counters true', async () => {
    const held: (() => void)[] = [];
    let open = false;
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      const links = Array.from({ length: 6 }, (_, n) => `${path === '/' ? '' : path}/${n}`);
      if (path === '/' || open) html(response, links, `${words} ${path}`);
      else held.push(() => html(response, links, `${words} ${path}`));
    });
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 2, max_pages: 30 });
    await eventually(
      async () => held.length,
      (count) => count >= 6,
    );
    await controlCrawl(engine.app, id, 'pause');
    await compare(id);
    open = true;
    for (const release of held.splice(0)) release();
    await eventually(
      () =>
        engine.database.query<{ open: number }>(
          `SELECT count(*)::int AS open FROM tasks WHERE crawl_id = $1 AND status IN ('crawling', 'parsing')`,
          [id],
        ),
      ([row]) => row!.open === 0,
    );
    const paused = await getCrawlRow(engine.database, id);
    assert.deepEqual([paused!.status, paused!.pages_crawled, paused!.pages_discovered], ['paused', 1, 7]);
    await compare(id);
    open = false;
    await controlCrawl(engine.app, id, 'resume');
    await eventually(
      async () => held.length,
      (count) => count >= 6,
    );
    for (const release of held.splice(0, 3)) release();
    await untilCrawl(id, (crawl) => crawl.pages_crawled >= 4);
    await controlCrawl(engine.app, id, 'cancel');
    open = true;
    for (const release of held.splice(0)) release();
    const crawl = await untilCrawl(id, ended);
    assert.equal(crawl.status, 'cancelled');
    assert.equal(
      crawl.pages_discovered,
      crawl.pages_crawled + crawl.pages_failed + crawl.pages_skipped + crawl.pages_cancelled,
    );
    await compare(id);
  });

  it('pausing and resuming again and again under load loses no page and no count', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      const links = Array.from({ length: 8 }, (_, n) => `${path === '/' ? '' : path}/${n}`);
      html(response, links, `${words} ${path}`);
    });
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 5, max_pages: 150 });
    for (let round = 0; round < 12; round++) {
      const { pages_crawled } = (await getCrawlRow(engine.database, id))!;
      if (pages_crawled === 150) break;
      const paused = await controlCrawl(engine.app, id, 'pause').catch((error: { code?: string }) => error);
      await compare(id);
      if ('code' in paused) {
        assert.equal(paused.code, 'STATE_CONFLICT', 'only a crawl that has ended cannot be paused');
        break;
      }
      await controlCrawl(engine.app, id, 'resume');
      await untilCrawl(id, (crawl) => ended(crawl) || crawl.pages_crawled > pages_crawled);
    }
    const crawl = await untilCrawl(id, ended);
    assert.deepEqual([crawl.status, crawl.pages_discovered, crawl.pages_crawled], ['completed', 150, 150]);
    await compare(id);
  });

  it('a crawl that is cancelled while its sitemaps are read stays cancelled', async () => {
    const { id } = await startCrawl(engine.app, { urls: ['http://127.0.0.1:1/'] });
    await addHold(engine.database, id);
    assert.equal((await controlCrawl(engine.app, id, 'cancel')).status, 'cancelled');
    assert.equal((await controlCrawl(engine.app, id, 'cancel')).status, 'cancelled');
    await compare(id);
  });

  it('a recurring task plans its next visit as a task of its own', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response);
    });
    const { id } = await startCrawl(engine.app, {
      urls: [`${site.origin}/`],
      options: { recurring: true, interval_s: 7_200 },
    });
    const crawl = await untilCrawl(id, ended);
    assert.deepEqual([crawl.status, crawl.pages_discovered, crawl.visits_planned], ['completed', 1, 1]);
    const [first, next] = await tasksOf(id);
    assert.deepEqual([first!.status, first!.visit], ['completed', 0]);
    assert.deepEqual([next!.status, next!.visit, next!.ready], ['pending', 1, false]);
    assert.ok(next!.due_in_s > 7_000 && next!.due_in_s <= 7_200);
    await engine.database.query("UPDATE tasks SET due_at = now() - interval '1 s' WHERE id = $1", [next!.id]);
    await untilCrawl(id, ({ pages_crawled }) => pages_crawled === 2);
    assert.equal((await tasksOf(id)).at(-1)!.visit, 2);
    const after = await untilCrawl(id, ended);
    assert.deepEqual([after.status, after.pages_discovered, after.visits_planned], ['completed', 2, 1]);
    await compare(id);
    const { status, visits_planned } = await controlCrawl(engine.app, id, 'cancel');
    assert.deepEqual([status, visits_planned], ['cancelled', 0]);
    assert.deepEqual(
      (await tasksOf(id)).map((task) => task.status),
      ['completed', 'completed', 'cancelled'],
    );
    await compare(id);
  });

  it('restart-parsing reads what is stored and sends nothing', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response);
    });
    const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/`] });
    await untilCrawl(id, ended);
    const asked = site.asked.length;
    const [task] = await tasksOf(id);
    await engine.database.query('DELETE FROM documents WHERE url = $1', [`${site.origin}/`]);
    await controlTask(engine.app, task!.id, 'restart-parsing');
    await untilCrawl(id, (crawl) => ended(crawl) && crawl.status === 'completed');
    const [again] = await tasksOf(id);
    assert.deepEqual([again!.status, again!.attempt], ['completed', 2]);
    assert.equal(site.asked.length, asked);
    const documents = await engine.database.query('SELECT id FROM documents WHERE url = $1', [`${site.origin}/`]);
    assert.equal(documents.length, 1);
    await compare(id);
  });

  it('max_pages holds to the page while several workers find links at once', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      const links = Array.from({ length: 9 }, (_, n) => `${path === '/' ? '' : path}/${n}`);
      html(response, links, `${words} ${path}`);
    });
    const stops = [engine.run(runWorker), engine.run(runWorker)];
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 4, max_pages: 57 });
    const crawl = await untilCrawl(id, ended);
    await Promise.all(stops.map((stop) => stop()));
    assert.deepEqual([crawl.pages_discovered, crawl.pages_crawled], [57, 57]);
    assert.equal(site.asked.filter((path) => path !== '/robots.txt').length, 57);
    await compare(id);
  });

  it('autothrottle keeps the time between requests near what the site takes', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') setTimeout(() => html(response), 150);
    });
    const domain = `127.0.0.1:${site.port}`;
    await updateDomain(engine.app, domain, { autothrottle: true, max_concurrency: 1 });
    const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/a`, `${site.origin}/b`] });
    await untilCrawl(id, ended);
    const [row] = await eventually(
      () =>
        engine.database.query<{ throttle_ms: number; latency_ms: number | null }>(
          'SELECT throttle_ms, latency_ms FROM domains WHERE domain = $1',
          [domain],
        ),
      ([each]) => each!.throttle_ms > 0,
    );
    assert.ok(row!.throttle_ms >= 140 && row!.latency_ms! >= 140, JSON.stringify(row));
  });

  it('nothing is sent within a maintenance window', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response);
    });
    const domain = `127.0.0.1:${site.port}`;
    await updateDomain(engine.app, domain, {
      maintenance_windows: [{ from: '00:00', to: '00:00', time_zone: 'Pacific/Auckland' }],
    });
    const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/`] });
    await eventually(
      () =>
        engine.database.query<{ later: boolean }>('SELECT next_at > now() AS later FROM domains WHERE domain = $1', [
          domain,
        ]),
      ([row]) => row!.later,
    );
    assert.deepEqual(site.asked, []);
    assert.equal((await getDomain(engine.app, domain)).stalled_by, 'MAINTENANCE');
    assert.equal((await updateDomain(engine.app, domain, { maintenance_windows: [] })).stalled_by, null);
    assert.equal((await untilCrawl(id, ended)).status, 'completed');
  });
});
