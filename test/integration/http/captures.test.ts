import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadSettings } from '../../../src/config/load.ts';
import { captureScreenshot, ScreenshotInput } from '../../../src/operations/media/capture-screenshot.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import type { Browser } from '../../../src/ports/browser.ts';
import type { Fetcher } from '../../../src/ports/fetcher.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { createTestBlobs } from '../../support/blobs.ts';
import { createTestBrowser, noBrowser } from '../../support/browser.ts';
import { openFetcher } from '../../support/http-fetcher.ts';
import { startWebServer, type WebServer } from '../../support/web-server.ts';

describe('captures over HTTP', { skip: noBrowser }, () => {
  let api: TestApi;
  let site: WebServer;
  let blobs: Blobs;
  let browser: Browser;
  let fetcher: Fetcher;
  before(async () => {
    site = await startWebServer((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>At ${request.url}</title><p>Hello from ${request.url}`);
    });
    blobs = await createTestBlobs();
    const allow = [`127.0.0.1:${site.port}`];
    browser = createTestBrowser(allow);
    fetcher = openFetcher(allow);
    const { settings } = loadSettings({ APP_ENV: 'test', RATE_LIMIT__DEFAULT_RPS: '0' });
    api = await createTestApi({ guard: createGuard(allow), blobs, browser, settings, fetcher });
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await fetcher[Symbol.asyncDispose]();
    await browser[Symbol.asyncDispose]();
    await blobs[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const visits = (path: string) => site.asked.filter((asked) => asked === path).length;
  const take = (path: string, more: object = {}) =>
    api.ok('POST', '/screenshot', { url: `${site.origin}${path}`, wait_seconds: 0, full_page: false, ...more });
  const runAs = async (key: string, path: string) => {
    const body = { url: `${site.origin}${path}`, wait_seconds: 0, scripts: ['document.title'] };
    const answer = await api.call('POST', '/execute-js', body, { authorization: `Bearer ${key}` });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };

  it('the same at the same time is made once, and later answered from the store', async () => {
    const shots = await Promise.all([take('/once'), take('/once'), take('/once', { inline: false })]);
    assert.equal(visits('/once'), 1);
    assert.equal(new Set(shots.map(({ id }) => id)).size, 1);
    assert.equal(shots.filter(({ cached }) => !cached).length, 1);
    assert.equal('data' in shots[2], false);
    const again = await take('/once');
    assert.deepEqual([again.id, again.cached, again.title, again.status], [shots[0].id, true, 'At /once', 200]);
    assert.equal(visits('/once'), 1);
    const bytes = Buffer.from(again.data, 'base64');
    assert.deepEqual([bytes.length, bytes.subarray(1, 4).toString()], [again.size, 'PNG']);
    const download = await api.server.inject({ method: 'GET', url: again.link });
    assert.deepEqual(download.rawPayload, bytes);
    assert.match(String(download.headers['content-disposition']), /^attachment; filename\*=UTF-8''screenshot-.*\.png$/);
    assert.ok(Date.parse(again.link_expires_at) > Date.now());
  });

  it('two processes at the same time make one as well', async () => {
    const input = ScreenshotInput.parse({ url: `${site.origin}/twice`, wait_seconds: 0, full_page: false });
    const processes = [{ ...api.app }, { ...api.app }];
    const shots = await Promise.all(processes.map((app) => captureScreenshot(app, input)));
    assert.equal(visits('/twice'), 1);
    assert.deepEqual(shots.map(({ cached }) => cached).sort(), [false, true]);
  });

  it('other options, fresh, an hour, or bytes that are gone make a new one', async () => {
    const first = await take('/anew');
    const others = await Promise.all([
      take('/anew', { viewport: { width: 300, height: 200 } }),
      take('/anew', { fresh: true }),
      api.ok('POST', '/pdf', { url: `${site.origin}/anew`, wait_seconds: 0 }),
    ]);
    assert.equal(new Set([first, ...others].map(({ id }) => id)).size, 4);
    assert.deepEqual(
      others.map(({ cached }) => cached),
      [false, false, false],
    );
    assert.equal(Buffer.from(others[2].data, 'base64').subarray(0, 5).toString(), '%PDF-');
    assert.equal((await take('/anew', { timeout_ms: 9_000 })).id, others[1].id, 'patience changes nothing');
    await api.app.database.query(
      `UPDATE captures SET created_at = created_at - interval '61 minutes' WHERE url LIKE '%/anew'`,
    );
    const late = await take('/anew');
    assert.equal(late.cached, false);
    const rows = await api.app.database.query<{ blob_ref: string }>(
      `SELECT blob_ref FROM captures WHERE url LIKE '%/anew'`,
    );
    await blobs.delete(rows.map(({ blob_ref }) => blob_ref));
    const lost = await take('/anew');
    assert.deepEqual([lost.cached, lost.id === late.id], [false, false]);
  });

  it('what scripts returned is for their caller alone, and for admins', async () => {
    const mine = await runAs(api.keys.write, '/scripted');
    assert.deepEqual(mine.results, [{ value: 'At /scripted', error: null }]);
    const theirs = await runAs(api.keys.admin, '/scripted');
    assert.deepEqual([theirs.cached, visits('/scripted')], [false, 2]);
    const again = await runAs(api.keys.write, '/scripted');
    assert.deepEqual([again.id, again.cached, again.results], [mine.id, true, mine.results]);
    const see = (key: string, id: string) =>
      api.call('GET', `/captures/${id}`, undefined, { authorization: `Bearer ${key}` });
    assert.equal((await see(api.keys.write, mine.id)).status, 200);
    assert.equal((await see(api.keys.write, theirs.id)).status, 404);
    assert.equal((await see(api.keys.read, mine.id)).status, 404);
    assert.equal((await see(api.keys.admin, mine.id)).body.private, true);
    const kinds = async (key: string) =>
      (await api.call('GET', '/captures?kind=scripts', undefined, { authorization: `Bearer ${key}` })).body.items
        .length;
    assert.deepEqual([await kinds(api.keys.read), await kinds(api.keys.write), await kinds(api.keys.admin)], [0, 1, 2]);
    const remove = await api.call('DELETE', `/captures/${theirs.id}`, undefined, {
      authorization: `Bearer ${api.keys.write}`,
    });
    assert.equal(remove.status, 404);
  });

  it('are listed by address and deleted; the audit trail holds no link', async () => {
    const shot = await take('/once');
    const list = await api.ok('GET', `/captures?limit=1&url=${encodeURIComponent(`${site.origin}/once`)}`);
    assert.deepEqual(
      [list.items[0].id, list.items[0].final_url, list.has_more],
      [shot.id, `${site.origin}/once`, false],
    );
    const page = await api.ok('GET', '/captures?limit=2');
    const rest = await api.ok('GET', `/captures?limit=2&cursor=${page.next_cursor}`);
    assert.ok(rest.items[0].id < page.items[1].id);
    await api.ok('DELETE', `/captures/${shot.id}`, undefined, 204);
    await api.ok('GET', `/captures/${shot.id}`, undefined, 404);
    await api.ok('DELETE', `/captures/${shot.id}`, undefined, 404);
    assert.equal((await take('/once')).cached, false);
    const trail = await api.app.database.query<{ data: unknown }>(
      `SELECT data FROM events WHERE kind = 'admin.action' AND subject = 'deleteCapture'`,
    );
    assert.match(JSON.stringify(trail), /final_url/);
    assert.doesNotMatch(JSON.stringify(trail), /blobs\/\w/);
  });
});
