import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AppError } from '../../src/errors.ts';
import { updateDomain } from '../../src/operations/domains/update-domain.ts';
import { captureScreenshot } from '../../src/operations/media/capture-screenshot.ts';
import { politeClient } from '../../src/operations/polite-client.ts';
import { TestProxyInput, testProxy } from '../../src/operations/proxies/test-proxy.ts';
import { createEngine, type Engine } from '../support/engine.ts';
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
  const domain = () => `127.0.0.1:${site.port}`;
  const screenshot = () =>
    captureScreenshot(engine.app, { url: site.origin, wait_seconds: 0, full_page: false, timeout_ms: 2_000 });
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
    await updateDomain(engine.app, domain(), { maintenance_windows: [] });
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
