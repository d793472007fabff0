import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { blockDomain } from '../../src/operations/domains/block-domain.ts';
import { unblockDomain } from '../../src/operations/domains/unblock-domain.ts';
import { updateDomain } from '../../src/operations/domains/update-domain.ts';
import type { Role } from '../../src/roles/run-roles.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { createEngine, type Engine, eventually } from '../support/engine.ts';
import { html, openSite, watchCrawls } from '../support/watch-crawls.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

const IN_FLIGHT = 4;

describe('the turns of a domain', () => {
  let engine: Engine;
  before(async () => {
    engine = await createEngine({ WORKER__IN_FLIGHT: String(IN_FLIGHT), WORKER__CONCURRENCY: '2' });
  });
  after(() => engine[Symbol.asyncDispose]());
  const { untilCrawl, ended } = watchCrawls(() => engine);
  /** A worker that stops with the test. What it waits for must be declared after it. */
  const startWorker = (role: Role = runWorker): AsyncDisposable => ({ [Symbol.asyncDispose]: engine.run(role) });
  const pagesOf = (site: { asked: string[] }) => site.asked.filter((path) => path !== '/robots.txt');

  it('pages that are not stored yet do not keep their site from being asked for the next', async () => {
    const { promise: stored, resolve: store } = Promise.withResolvers<void>();
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response);
    });
    await using _worker = startWorker((app, signal) => {
      const put = (bodies: readonly Uint8Array[]) => stored.then(() => app.blobs.put(bodies));
      return runWorker({ ...app, blobs: { ...app.blobs, put } }, signal);
    });
    using _end = { [Symbol.dispose]: store };
    await updateDomain(engine.app, `127.0.0.1:${site.port}`, { rate_limit_rps: 50, max_concurrency: 1 });
    const { id } = await startCrawl(engine.app, { urls: ['/a', '/b', '/c'].map((path) => site.origin + path) });
    await eventually(
      async () => pagesOf(site).length,
      (count) => count === 3,
    );
    assert.equal((await untilCrawl(id, () => true)).pages_crawled, 0);
    store();
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 3);
  });

  it('a turn in which nothing is sent is over at once', async () => {
    await using site = await startWebServer((request, response) => {
      if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /private');
      else html(response);
    });
    await using _worker = startWorker();
    await untilCrawl((await startCrawl(engine.app, { urls: [`${site.origin}/`] })).id, ended);
    // From here on a turn would last for more than half an hour.
    await updateDomain(engine.app, `127.0.0.1:${site.port}`, { rate_limit_rps: 0.0005 });
    const urls = Array.from({ length: 12 }, (_, n) => `${site.origin}/private/${n}`);
    const { id } = await startCrawl(engine.app, { urls });
    assert.equal((await untilCrawl(id, ended)).pages_skipped, 12);
  });

  it('a domain that is blocked in the middle of a turn is not asked any more, and goes on when it is opened', async () => {
    let blocked = false;
    await using site = await openSite(async (path, _request, response) => {
      if (path === '/robots.txt') return;
      if (!blocked) await blockDomain(engine.app, `127.0.0.1:${site.port}`, { reason: 'test' });
      blocked = true;
      html(response);
    });
    await using _worker = startWorker();
    await updateDomain(engine.app, `127.0.0.1:${site.port}`, { rate_limit_rps: 4 });
    const { id } = await startCrawl(engine.app, { urls: ['/a', '/b', '/c'].map((path) => site.origin + path) });
    await untilCrawl(id, (crawl) => crawl.pages_crawled === 1);
    const held = () =>
      engine.app.database.query(`SELECT 1 FROM tasks WHERE crawl_id = $1 AND status IN ('crawling', 'parsing')`, [id]);
    await eventually(held, (rows) => rows.length === 0);
    assert.equal(pagesOf(site).length, 1);
    await unblockDomain(engine.app, `127.0.0.1:${site.port}`);
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 3);
  });

  it('sites that never answer leave room for the pages of others', async () => {
    await using _worker = startWorker();
    await using sites = new AsyncDisposableStack();
    const silent: WebServer[] = [];
    for (let n = 0; n < IN_FLIGHT; n++) silent.push(sites.use(await startWebServer(() => {})));
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response);
    });
    await startCrawl(engine.app, { urls: silent.map(({ origin }) => `${origin}/`) });
    await eventually(
      async () => silent.filter(({ asked }) => asked.length > 0).length,
      (count) => count === IN_FLIGHT,
    );
    const { id } = await startCrawl(engine.app, { urls: ['/a', '/b', '/c'].map((path) => site.origin + path) });
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 3);
  });

  it('a redirect after the end of its turn waits for the delay after the answer that led to it', async () => {
    const delayMs = 300;
    const [answered, asked] = [new Map<string, number>(), new Map<string, number>()];
    await using site = await startWebServer(async (request, response) => {
      const path = request.url ?? '';
      asked.set(path, performance.now());
      response.once('close', () => answered.set(path, performance.now()));
      if (path === '/robots.txt') return void response.end(`User-agent: *\nCrawl-delay: ${delayMs / 1_000}`);
      // The turn of a single page is over by then.
      await new Promise((resolve) => setTimeout(resolve, 2 * delayMs));
      if (path === '/old') response.writeHead(302, { location: '/new' }).end();
      else html(response);
    });
    await using _worker = startWorker();
    const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/old`] });
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 1);
    const gap = asked.get('/new')! - answered.get('/old')!;
    assert.ok(gap >= delayMs, `${gap} ms`);
  });
});
