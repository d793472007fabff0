import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runJobs } from '../../src/jobs/runner.ts';
import { startCrawl, startDeepCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { blockDomain } from '../../src/operations/domains/block-domain.ts';
import { updateDomain } from '../../src/operations/domains/update-domain.ts';
import { addToFrontier } from '../../src/operations/frontier/add-to-frontier.ts';
import { createCrawlConfig } from '../../src/operations/organise/create-crawl-config.ts';
import { listPages } from '../../src/operations/pages/list-pages.ts';
import type { Database } from '../../src/ports/database.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { createEngine, useEngine } from '../support/engine.ts';
import { html, openSite, watchCrawls, words } from '../support/watch-crawls.ts';

describe('what enters a crawl, and in which order it is fetched', () => {
  // One page at a time: the links of each are known before the next is chosen.
  const engine = useEngine([runWorker, runScheduler, runJobs], {
    FRONTIER__MAX_URL_LENGTH: '200',
    WORKER__IN_FLIGHT: '1',
  });
  const { tasksOf, untilCrawl, ended, compare } = watchCrawls(() => engine);
  const pathsOf = (asked: readonly string[]) => asked.filter((path) => path !== '/robots.txt');

  it('a link that is not followed is counted under its reason', async () => {
    await using closed = await openSite((_path, _request, response) => response.end());
    await blockDomain(engine.app, `127.0.0.1:${closed.port}`, { reason: '' });
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      html(response, ['/1', '/2', '/3', '/4', `${closed.origin}/x`, `/${'long'.repeat(60)}`]);
    });
    const { id } = await startDeepCrawl(engine.app, {
      url: `${site.origin}/`,
      max_depth: 1,
      max_pages: 3,
      options: { scope: 'any' },
    });
    const crawl = await untilCrawl(id, ended);
    assert.deepEqual([crawl.status, crawl.pages_crawled], ['completed', 3]);
    const { PAGE_LIMIT, DOMAIN_BLOCKED, URL_INVALID } = crawl.links_refused;
    assert.deepEqual(PAGE_LIMIT, { count: 2, samples: [`${site.origin}/3`, `${site.origin}/4`] });
    assert.equal(DOMAIN_BLOCKED!.samples[0], `${closed.origin}/x`);
    assert.ok(URL_INVALID!.count > 0);
    assert.deepEqual(closed.asked, []);
    await compare(id);
  });

  it('addresses added to an open crawl are told from those it has no room for', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response);
    });
    const domain = `127.0.0.1:${site.port}`;
    await updateDomain(engine.app, domain, { maintenance_windows: [{ from: '00:00', to: '00:00', time_zone: 'UTC' }] });
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 1, max_pages: 2 });
    const urls = [`${site.origin}/a`, `${site.origin}/b`];
    const { added, refused } = await addToFrontier(engine.app, { urls, crawl_id: id, depth: 0 }, 'test');
    assert.equal(added, 1);
    assert.deepEqual(refused, [{ url: urls[1], code: 'PAGE_LIMIT', reason: 'the crawl takes 2 pages' }]);
    await blockDomain(engine.app, domain, { reason: 'enough' });
    const again = addToFrontier(engine.app, { urls: [`${site.origin}/c`], crawl_id: id, depth: 0 }, 'test');
    await assert.rejects(again, { code: 'DOMAIN_BLOCKED' });
  });

  it('versions in other languages are followed where those are kept', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      response.setHeader('content-type', 'text/html');
      const heads = ['en-GB', 'de', 'fr'].map((code) => `<link rel="alternate" hreflang="${code}" href="/${code}">`);
      response.end(`<html lang="en"><head>${heads.join('')}</head><body><p>${words}</p></body></html>`);
    });
    const { id } = await startDeepCrawl(engine.app, {
      url: `${site.origin}/`,
      max_depth: 1,
      options: { languages: ['en', 'de'] },
    });
    await untilCrawl(id, ended);
    assert.deepEqual(pathsOf(site.asked).sort(), ['/', '/de', '/en-GB']);
  });

  for (const [strategy, expected] of [
    ['bfs', ['/', '/a', '/b', '/a/1', '/b/1', '/a/1/x', '/b/1/x']],
    ['dfs', ['/', '/a', '/a/1', '/a/1/x', '/b', '/b/1', '/b/1/x']],
  ] as const)
    it(`${strategy} walks in its order`, async () => {
      const tree: Record<string, string[]> = { '/': ['/a', '/b'], '/a': ['/a/1'], '/b': ['/b/1'] };
      await using site = await openSite((path, _request, response) => {
        if (path === '/robots.txt') return;
        html(response, tree[path] ?? (path.endsWith('1') ? [`${path}/x`] : []), `${words} ${path}`);
      });
      const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 5, strategy });
      await untilCrawl(id, ended);
      assert.deepEqual(pathsOf(site.asked), expected);
    });

  it('best_first follows what fits its keywords first, and nothing below its threshold', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      response.setHeader('content-type', 'text/html');
      const links = [
        ['/imprint', 'Imprint'],
        ['/harbours', 'About harbours'],
        ['/lighthouses', 'Lighthouses and their keepers'],
      ].map(([href, text]) => `<a href="${href}">${text}</a>`);
      response.end(`<p>${words} ${path}</p>${path === '/' ? links.join(' ') : ''}`);
    });
    const walk = async (score_threshold: number) => {
      site.asked.length = 0;
      const { id } = await startDeepCrawl(engine.app, {
        url: `${site.origin}/`,
        strategy: 'best_first',
        max_depth: 1,
        keywords: ['lighthouses', 'keepers'],
        score_threshold,
      });
      const { links_refused } = await untilCrawl(id, ended);
      return {
        paths: pathsOf(site.asked),
        refused: links_refused.SCORE_TOO_LOW?.samples.map((url) => new URL(url).pathname),
      };
    };
    const all = await walk(0);
    assert.deepEqual(all.paths.slice(0, 2), ['/', '/lighthouses']);
    assert.equal(all.paths.length, 4);
    const few = await walk(0.6);
    assert.deepEqual(
      [few.paths, few.refused?.sort()],
      [
        ['/', '/lighthouses'],
        ['/harbours', '/imprint'],
      ],
    );
  });

  it('sitemaps are read where a crawl asks for it', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path === '/sitemap.xml')
        response.end(
          `<urlset><url><loc>${site.origin}/hidden</loc></url><url><loc>http://other.test/</loc></url></urlset>`,
        );
      else if (path === '/' || path === '/hidden') html(response, [], `${words} ${path}`);
      else if (path !== '/robots.txt') response.writeHead(404).end();
    });
    const { id } = await startDeepCrawl(engine.app, {
      url: `${site.origin}/`,
      max_depth: 1,
      options: { use_sitemap: true },
    });
    await untilCrawl(id, ended);
    assert.deepEqual(
      (await tasksOf(id)).map(({ url, status }) => [new URL(url).pathname, status]),
      [
        ['/', 'completed'],
        ['/hidden', 'completed'],
      ],
    );
  });

  it('a page that changes is visited sooner, one that does not later, from what its domain is set to', async () => {
    let times = 0;
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, [], path === '/changes' ? `${words} Version ${++times}.` : words);
    });
    await updateDomain(engine.app, `127.0.0.1:${site.port}`, { recrawl_interval_s: 36_000 });
    const { id } = await startCrawl(engine.app, {
      urls: [`${site.origin}/changes`, `${site.origin}/stays`],
      options: { recurring: true },
    });
    await untilCrawl(id, ({ pages_crawled }) => pages_crawled === 2);
    await engine.database.query('UPDATE tasks SET due_at = now() WHERE crawl_id = $1 AND visit = 1', [id]);
    await untilCrawl(id, ({ pages_crawled }) => pages_crawled === 4);
    const planned = (await tasksOf(id)).filter(({ visit }) => visit === 2);
    const hours = planned.map(({ due_in_s }) => Math.round(due_in_s / 3_600));
    assert.deepEqual(hours, [5, 15]);
    const { items } = await listPages(engine.app, { limit: 10, sort: 'visited', domain: `127.0.0.1:${site.port}` });
    const next = items.map(({ next_crawl_at }) => Math.round((next_crawl_at!.getTime() - Date.now()) / 3_600_000));
    assert.deepEqual(
      next.sort((a, b) => a - b),
      [5, 15],
    );
  });
});

describe('walks through sites', () => {
  const url = 'http://127.0.0.1:1/';
  it('can be turned off', async () => {
    await using engine = await createEngine({ FEATURES__ENABLE_DEEP_CRAWL: 'false' });
    await assert.rejects(startDeepCrawl(engine.app, { url }), { code: 'FORBIDDEN', hint: /ENABLE_DEEP_CRAWL/ });
    await startCrawl(engine.app, { urls: [url] });
  });

  it('can be kept to a number at a time', async () => {
    await using engine = await createEngine({ FEATURES__MAX_CONCURRENT_DEEP_CRAWLS: '1' });
    await startDeepCrawl(engine.app, { url });
    await assert.rejects(startDeepCrawl(engine.app, { url }), { code: 'RATE_LIMITED' });
  });

  it('are of 1,000 pages at most, five at a time, and leave out what scores less than 0.4, unless told otherwise', async () => {
    await using engine = await createEngine();
    const { app } = engine;
    const tooMany = { code: 'VALIDATION_FAILED', hint: /FEATURES__MAX_PAGES_PER_DEEP_CRAWL/ };
    await assert.rejects(startDeepCrawl(app, { url, max_pages: 1_001 }), tooMany);
    await assert.rejects(startDeepCrawl(app, { url, options: { max_pages: 1_001 } }), tooMany);
    await assert.rejects(startCrawl(app, { urls: [url], options: { max_pages: 1_001, max_depth: 1 } }), tooMany);
    await assert.rejects(createCrawlConfig(app, { name: 'large', options: { max_pages: 1_001 } }), tooMany);
    const best = { url, strategy: 'best_first' } as const;
    const crawls = [
      await startDeepCrawl(app, { url, max_pages: 1_000 }),
      await startDeepCrawl(app, { ...best, keywords: ['harbour'] }),
      await startDeepCrawl(app, { ...best, keywords: ['harbour'], score_threshold: 0 }),
      await startDeepCrawl(app, best),
      await startDeepCrawl(app, { url, keywords: ['harbour'] }),
    ];
    assert.deepEqual(
      crawls.map(({ max_pages, score_threshold }) => [max_pages, score_threshold]),
      [
        [1_000, 0],
        [100, 0.4],
        [100, 0],
        [100, 0],
        [100, 0],
      ],
    );
    await assert.rejects(startDeepCrawl(app, { url }), { code: 'RATE_LIMITED' });
  });

  it('are of any number of pages where the settings say 0, of fewer where they say so', async () => {
    await using any = await createEngine({ FEATURES__MAX_PAGES_PER_DEEP_CRAWL: '0' });
    assert.equal((await startDeepCrawl(any.app, { url, max_pages: 2_000_000 })).max_pages, 2_000_000);
    assert.equal((await startDeepCrawl(any.app, { url })).max_pages, 100);
    await using few = await createEngine({ FEATURES__MAX_PAGES_PER_DEEP_CRAWL: '7' });
    assert.equal((await startDeepCrawl(few.app, { url })).max_pages, 7);
  });
});

it('a worker whose questions to the database take long still gets its turns', async () => {
  await using engine = await createEngine();
  const { app } = engine;
  const { tasksOf, untilCrawl, ended } = watchCrawls(() => engine);
  const database: Database = Object.assign(Object.create(app.database) as Database, {
    query: async (text: string, values?: readonly unknown[]) => {
      if (text.includes('proxy_gate')) await new Promise((resolve) => setTimeout(resolve, 80));
      return app.database.query(text, values);
    },
  });
  await using site = await openSite((path, _request, response) => {
    if (path !== '/robots.txt') html(response, [], `${words} ${path}`);
  });
  await updateDomain(app, `127.0.0.1:${site.port}`, { rate_limit_rps: 100, max_concurrency: 1 });
  const { id } = await startCrawl(app, { urls: ['/a', '/b', '/c'].map((path) => site.origin + path) });
  engine.run((_app, signal) => runWorker({ ...app, database }, signal));
  await untilCrawl(id, ended);
  const attempts = (await tasksOf(id)).map(({ attempt }) => attempt);
  assert.ok(Math.max(...attempts) <= 5, `claimed ${attempts} times`);
});
