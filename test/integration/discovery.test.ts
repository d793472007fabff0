import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type App, createApp } from '../../src/app.ts';
import { Settings } from '../../src/config/settings.ts';
import { claimJobs, completeJob } from '../../src/db/jobs/jobs.ts';
import { AppError } from '../../src/errors.ts';
import { discoverJob } from '../../src/jobs/discover.ts';
import { DiscoveryInput } from '../../src/operations/discover/discovery.ts';
import { getDiscovery } from '../../src/operations/discover/get-discovery.ts';
import { startDiscovery } from '../../src/operations/discover/start-discovery.ts';
import { blockDomain } from '../../src/operations/domains/block-domain.ts';
import { captureScreenshot, ScreenshotInput } from '../../src/operations/media/capture-screenshot.ts';
import { ExecuteScriptsInput, executeScripts } from '../../src/operations/media/execute-scripts.ts';
import { noBrowser } from '../support/browser.ts';
import { runCommand } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

/** A site with a zipped sitemap behind an index, a feed and links; and the index of a web archive that knows it. */
const startSite = () =>
  startWebServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const origin = `http://${request.headers.host}`;
    const send = (body: string | Buffer, type = 'text/xml') =>
      response.writeHead(200, { 'content-type': type }).end(body);
    if (pathname === '/robots.txt')
      send(`User-agent: *\nDisallow: /private\nSitemap: ${origin}/index.xml`, 'text/plain');
    else if (pathname === '/index.xml')
      send(
        `<sitemapindex><sitemap><loc>${origin}/pages.xml.gz</loc></sitemap><sitemap><loc>${origin}/private/x.xml</loc></sitemap><sitemap><loc>${origin}/index.xml</loc></sitemap></sitemapindex>`,
      );
    else if (pathname === '/pages.xml.gz')
      send(
        gzipSync(
          `<urlset><url><loc>${origin}/solar</loc><lastmod>2024-05-06</lastmod></url><url><loc>${origin}/wind</loc></url></urlset>`,
        ),
        'application/gzip',
      );
    else if (pathname === '/')
      send(
        '<a href="/linked">Linked page</a><link rel="alternate" type="application/rss+xml" href="/feed">',
        'text/html',
      );
    else if (pathname === '/feed')
      send('<rss><channel><item><link>/fed</link><title>Fed</title></item></channel></rss>');
    else if (pathname === '/collinfo.json')
      send(JSON.stringify([{ id: 'CC-1', 'cdx-api': `${origin}/CC-1-index` }]), 'application/json');
    else if (pathname === '/CC-1-index' && searchParams.has('showNumPages'))
      send('{"pages": 1, "pageSize": 5, "blocks": 1}', 'application/json');
    else if (pathname === '/CC-1-index')
      send(
        `{"url": "${origin}/archived", "timestamp": "20240506070809", "status": "200", "mime": "text/html"}\n`,
        'text/x-ndjson',
      );
    else response.writeHead(404).end();
  });

async function withApp(work: (app: App, site: WebServer) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crawl4r-discovery-'));
  try {
    await using database = await createTestDatabase();
    await using site = await startSite();
    const settings = Settings.parse({
      dataDir,
      logLevel: 'silent',
      guard: { allow: [`127.0.0.1:${site.port}`] },
      rateLimit: { defaultRps: 0 },
      discover: { commonCrawlUrl: site.origin },
    });
    await using app = await createApp(settings, { database });
    await work(app, site);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs the one job that waits, as the runner would. */
async function runJob(app: App): Promise<void> {
  const [job] = await claimJobs(app.database, 'test', ['discover'], 1, 60_000);
  assert.ok(job !== undefined);
  const result = await discoverJob.run(
    { app, signal: new AbortController().signal, timeoutMs: 60_000, lastAttempt: false, progress: async () => {} },
    job.payload,
  );
  await completeJob(app.database, job, 'test', result);
}

describe('discovery', () => {
  test('is planned, runs as a job, and is read by its id', () =>
    withApp(async (app, site) => {
      const input = DiscoveryInput.parse({
        domain: site.origin,
        sources: ['sitemap', 'feeds', 'links', 'common_crawl'],
      });
      const planned = await startDiscovery(app, input);
      assert.equal(planned.status, 'pending');
      assert.equal(planned.result, null);
      await runJob(app);
      const done = await getDiscovery(app, planned.id);
      assert.equal(done.status, 'completed');
      assert.equal(done.urls_found, 6);
      assert.deepEqual(
        done.urls?.map(({ url, source }) => [url.slice(site.origin.length), source]),
        [
          ['/solar', 'sitemap'],
          ['/wind', 'sitemap'],
          ['/fed', 'feeds'],
          ['/', 'links'],
          ['/linked', 'links'],
          ['/archived', 'common_crawl'],
        ],
      );
      assert.equal(done.urls?.[0]?.last_modified, '2024-05-06T00:00:00.000Z');
      assert.deepEqual(
        done.problems.map(({ code }) => code),
        ['ROBOTS_DISALLOWED'],
      );
      assert.ok(!site.asked.includes('/private/x.xml'));
      assert.equal(site.asked.filter((path) => path === '/robots.txt').length, 1);
    }));

  test('keeps what fits a query', () =>
    withApp(async (app, site) => {
      const { id } = await startDiscovery(app, DiscoveryInput.parse({ domain: site.origin, score_query: 'solar' }));
      await runJob(app);
      assert.deepEqual((await getDiscovery(app, id)).result, [`${site.origin}/solar`]);
    }));

  test('says how many addresses the limit left out, as crawl4r map does', () =>
    withApp(async (app, site) => {
      const { id, left_out } = await startDiscovery(app, DiscoveryInput.parse({ domain: site.origin, max_urls: 1 }));
      assert.equal(left_out, null);
      await runJob(app);
      const done = await getDiscovery(app, id);
      assert.deepEqual([done.urls_found, done.left_out, done.limit], [1, 1, 'urls']);
      const map = await runCommand(['map', site.origin, '--limit', '1', '--source', 'sitemap'], {
        DATA_DIR: app.settings.dataDir,
        GUARD__ALLOW: site.origin,
        RATE_LIMIT__DEFAULT_RPS: '0',
      });
      assert.deepEqual([map.code, map.stdout], [0, `${site.origin}/solar\n`], map.stderr);
      assert.match(map.stderr, /1 address, ended by --limit, 1 more left out/);
    }));

  test('says why there is nothing', () =>
    withApp(async (app, site) => {
      await blockDomain(app, `127.0.0.1:${site.port}`, { reason: 'asked to' });
      await startDiscovery(app, DiscoveryInput.parse({ domain: site.origin }));
      await assert.rejects(runJob(app), (error) => error instanceof AppError && error.code === 'DOMAIN_BLOCKED');
      assert.deepEqual(site.asked, []);
      assert.equal(DiscoveryInput.safeParse({ domain: 'http://[' }).success, false);
      await assert.rejects(getDiscovery(app, '01900000-0000-7000-8000-000000000000'), { code: 'NOT_FOUND' });
    }));
});

describe('captures', { skip: noBrowser }, () => {
  test('pictures and scripts, by the rules of the site', () =>
    withApp(async (app, site) => {
      const shot = await captureScreenshot(app, ScreenshotInput.parse({ url: `${site.origin}/`, wait_seconds: 0 }));
      assert.equal(shot.status, 200);
      assert.equal(Buffer.from(shot.data!, 'base64').subarray(1, 4).toString(), 'PNG');
      const scripts = ['document.links.length', 'throw new Error("broken")', 'location.pathname'];
      const { results } = await executeScripts(
        app,
        ExecuteScriptsInput.parse({ url: `${site.origin}/`, scripts, wait_seconds: 0 }),
      );
      assert.deepEqual(
        results.map(({ value }) => value),
        [1, null, '/'],
      );
      assert.match(results[1]?.error ?? '', /broken/);
      await assert.rejects(captureScreenshot(app, ScreenshotInput.parse({ url: `${site.origin}/private/a` })), {
        code: 'ROBOTS_DISALLOWED',
      });
      await assert.rejects(captureScreenshot(app, ScreenshotInput.parse({ url: 'http://127.0.0.1:1/' })), {
        code: 'URL_BLOCKED',
      });
    }));
});
