import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App } from '../../../src/app.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { openFetcher } from '../../support/http-fetcher.ts';
import { startWebServer, type WebServer } from '../../support/web-server.ts';

const PAGE =
  '<html lang="en"><title>Light</title><main><h1>Light</h1><p>A page about lighthouses and the sea around them.</p><a href="/two">Two</a></main></html>';

describe('one page, read and not kept', () => {
  let site: WebServer;
  let api: TestApi;
  let fetcher: App['fetcher'];
  before(async () => {
    site = await startWebServer((request, response) => {
      if (request.url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private\n');
      response.writeHead(request.url === '/gone' ? 410 : 200, { 'content-type': 'text/html' }).end(PAGE);
    });
    fetcher = openFetcher([site.origin]);
    const { settings } = loadSettings({ APP_ENV: 'test', RATE_LIMIT__DEFAULT_RPS: '50' });
    api = await createTestApi({ guard: createGuard([site.origin]), fetcher, settings });
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await fetcher[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  const scrape = (body: object, headers = {}) => api.call('POST', '/scrape', body, headers);

  it('answers what the page holds, and its bytes where they are wanted', async () => {
    const { status, body, text } = await scrape({ url: `${site.origin}/`, render: 'never', include_body: true });
    assert.equal(status, 200, text);
    assert.deepEqual([body.url, body.status, body.title, body.language], [`${site.origin}/`, 200, 'Light', 'en']);
    assert.match(body.markdown, /lighthouses/);
    assert.deepEqual(body.links[0], { url: `${site.origin}/two`, text: 'Two', rel: '' });
    assert.equal(Buffer.from(body.body, 'base64').toString(), PAGE);
    const plain = await scrape({ url: `${site.origin}/`, render: 'never' });
    assert.equal('body' in plain.body, false);
    assert.equal((await scrape({ url: `${site.origin}/gone`, render: 'never' })).body.status, 410);
  });

  it('keeps nothing', async () => {
    for (const list of ['/documents', '/pages', '/tasks', '/crawls'])
      assert.deepEqual((await api.ok('GET', list)).items, [], list);
  });

  it('asks for nothing that robots.txt forbids, and nothing that is private', async () => {
    const forbidden = await scrape({ url: `${site.origin}/private/x`, render: 'never' });
    assert.deepEqual([forbidden.status, forbidden.body.code], [403, 'ROBOTS_DISALLOWED']);
    assert.ok(!site.asked.includes('/private/x'));
    const inside = await scrape({ url: 'http://169.254.169.254/latest' });
    assert.equal(inside.body.code, 'URL_BLOCKED');
  });

  it('refuses what does not fit, and callers who may only read', async () => {
    for (const body of [
      {},
      { url: 'no address' },
      { url: 'file:///etc/passwd' },
      { url: 'https://example.com/\0' },
      { url: `https://example.com/${'x'.repeat(3_000)}` },
      { url: 'https://example.com', render: 'sometimes' },
      { url: 'https://example.com', timeout_ms: 1 },
    ])
      assert.equal((await scrape(body)).body.code, 'VALIDATION_FAILED', JSON.stringify(body).slice(0, 80));
    const reader = { authorization: `Bearer ${api.keys.read}` };
    assert.equal((await scrape({ url: `${site.origin}/` }, reader)).status, 403);
  });
});
