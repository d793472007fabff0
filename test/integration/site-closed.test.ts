import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listWaitingImages } from '../../src/db/products/product-images.ts';
import type { AppError } from '../../src/errors.ts';
import { newId } from '../../src/ids.ts';
import { productImagesJob } from '../../src/jobs/product-images.ts';
import { seedSitemapsJob } from '../../src/jobs/seed-sitemaps.ts';
import { controlCrawl } from '../../src/operations/crawls/control-crawl.ts';
import { startDeepCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { updateDomain } from '../../src/operations/domains/update-domain.ts';
import { captureScreenshot, ScreenshotInput } from '../../src/operations/media/capture-screenshot.ts';
import { politeClient } from '../../src/operations/polite-client.ts';
import { TestProxyInput, testProxy } from '../../src/operations/proxies/test-proxy.ts';
import { createEngine, type Engine, eventually } from '../support/engine.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

describe('a site that may not be asked now', () => {
  let engine: Engine;
  let site: WebServer;
  before(async () => {
    engine = await createEngine();
    site = await startWebServer((_request, response) => void response.end('here'));
  });
  after(async () => {
    await engine[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  const context = () => ({
    app: engine.app,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    lastAttempt: false,
    progress: async () => {},
  });
  const domain = () => `127.0.0.1:${site.port}`;
  const screenshot = () =>
    captureScreenshot(
      engine.app,
      ScreenshotInput.parse({ url: site.origin, wait_seconds: 0, full_page: false, timeout_ms: 2_000 }),
    );
  const fetchFile = (robots: boolean) =>
    politeClient(engine.app).visit(`${site.origin}/x`, { deadlineAt: performance.now() + 2_000, robots }, (way) =>
      engine.app.fetcher.fetch({ ...way, url: `${site.origin}/x` }),
    );
  const proxyTest = () => testProxy(engine.app, TestProxyInput.parse({ url: site.origin, target_url: site.origin }));
  const says = (reason: string) => (error: AppError) => {
    assert.deepEqual([error.code, error.details?.reason], ['DOMAIN_WAITING', reason]);
    assert.ok(error.retryAfterMs! > 0 && (error.details!.wait_ms as number) > 0);
    assert.ok(Date.parse(error.details!.until as string) > Date.now());
    return true;
  };

  it('in its maintenance window: no screenshot, no file, no robots.txt, no proxy test', async () => {
    await updateDomain(engine.app, domain(), {
      maintenance_windows: [{ from: '00:00', to: '00:00', time_zone: 'UTC' }],
    });
    for (const ask of [screenshot, () => fetchFile(true), () => fetchFile(false), proxyTest])
      await assert.rejects(ask, says('maintenance'));
    assert.deepEqual(site.asked, []);
  });

  it('in its maintenance window: no image of a product, which waits for the next run', async () => {
    const product = newId();
    await engine.database.query(
      `INSERT INTO products (id, url, url_hash, domain, parser, parser_version, content_hash) VALUES ($1, 'u', 'h', 'd', 'generic', '1', '')`,
      [product],
    );
    await engine.database.query('INSERT INTO product_images (id, product_id, url, position) VALUES ($1, $2, $3, 0)', [
      newId(),
      product,
      `${site.origin}/40.png`,
    ]);
    await assert.rejects(async () => productImagesJob.run(context(), {}), says('maintenance'));
    assert.equal((await listWaitingImages(engine.database, 10, undefined)).length, 1);
    assert.deepEqual(site.asked, []);
  });

  it('in its maintenance window: no sitemap; it is read when the window is over, and the crawl stays open until then', async () => {
    const { id } = await startDeepCrawl(engine.app, {
      url: `${site.origin}/`,
      max_depth: 2,
      max_pages: 10,
      options: { use_sitemap: true },
    });
    const holds = async () =>
      (await engine.database.query<{ holds: number }>('SELECT holds FROM crawls WHERE id = $1', [id]))[0]!.holds;
    await assert.rejects(
      async () => seedSitemapsJob.run(context(), { crawl_id: id }),
      ({ code, retryAfterMs }: AppError) => code === 'DOMAIN_WAITING' && retryAfterMs! > 0,
    );
    assert.equal(await holds(), 1);
    assert.deepEqual(site.asked, []);
    // The last attempt gives up: the crawl goes on by its links.
    assert.match(
      String((await seedSitemapsJob.run({ ...context(), lastAttempt: true }, { crawl_id: id }))!.error),
      /maintenance/,
    );
    assert.equal(await holds(), 0);
    await updateDomain(engine.app, domain(), { maintenance_windows: [] });
    assert.deepEqual(await seedSitemapsJob.run(context(), { crawl_id: id }), { added: 0 });
    assert.equal(site.asked.splice(0)[0], '/robots.txt');
    await controlCrawl(engine.app, id, 'cancel');
  });

  it('with a pace: a request that has left keeps no place in the row, and counts as under way until its answer', async () => {
    await updateDomain(engine.app, domain(), { rate_limit_rps: 0.0001 });
    await engine.database.query("UPDATE domains SET next_at = '-infinity', open_at = '-infinity'");
    const row = async () =>
      (
        await engine.database.query<{ at: string; asked: number }>(
          'SELECT next_at::text AS at, (SELECT count(*)::int FROM side_requests) AS asked FROM domains',
        )
      )[0]!;
    const options = { deadlineAt: performance.now() + 10_000, robots: false };
    await politeClient(engine.app).visit(`${site.origin}/paced`, options, async (way) => {
      const { at: whole } = await row();
      way.onStart!();
      const left = await eventually(row, ({ at }) => at !== whole);
      assert.ok(left.at < whole);
      assert.equal(left.asked, 1);
    });
    assert.equal((await row()).asked, 0);
    await updateDomain(engine.app, domain(), { rate_limit_rps: null });
  });

  it('with a delay longer than the caller waits: says so at once, and keeps no place', async () => {
    await engine.database.query(
      "UPDATE domains SET crawl_delay_ms = 60000, next_at = '-infinity', open_at = '-infinity'",
    );
    await fetchFile(false);
    await assert.rejects(screenshot, says('turn'));
    await assert.rejects(fetchFile(false), says('turn'));
    assert.deepEqual(site.asked, ['/x']);
    assert.deepEqual(await engine.database.query('SELECT 1 FROM side_requests'), []);
  });
});
