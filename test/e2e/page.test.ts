import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../src/config/chromium.ts';
import { type DemoSite, startDemoSite } from '../../src/demo/server.ts';
import { createLoginLink } from '../../src/operations/access/create-login-link.ts';
import { ensureFirstAdmin } from '../../src/operations/access/ensure-first-admin.ts';
import { runEngine } from '../../src/roles/engine.ts';
import { listen } from '../../src/surfaces/http/listen.ts';
import { createServer } from '../../src/surfaces/http/server.ts';
import { noBrowser } from '../support/browser.ts';
import { createEngine, type Engine } from '../support/engine.ts';
import { startWebServer } from '../support/web-server.ts';

/** The page at / in a real browser: from the login link over a crawl to a search. SCREENSHOT=1 renews the README's picture. */
describe('the page in a browser', { skip: noBrowser }, () => {
  let engine: Engine;
  let site: DemoSite;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let server: ReturnType<typeof createServer>;
  const trouble: string[] = [];

  before(async () => {
    engine = await createEngine();
    site = await startDemoSite();
    await ensureFirstAdmin(engine.app);
    server = createServer(engine.app);
    ({ origin } = await listen(server, { host: '127.0.0.1', port: 0 }));
    engine.run(runEngine);
    browser = await chromium.launch({ executablePath: findChromium(undefined)!, chromiumSandbox: false });
    const context = await browser.newContext({ viewport: { width: 1280, height: 960 } });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => new URL(request.url()).origin === origin || trouble.push(request.url()));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    await site?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  it('asks a stranger to log in, and shows nothing', async () => {
    await page.goto(origin);
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    assert.equal(await page.locator('#app').isVisible(), false);
  });

  it('lets the login link in, and teaches while there is nothing', async () => {
    await page.goto(origin + (await createLoginLink(engine.app)));
    await page.getByText('No crawl yet').waitFor();
    assert.equal(await page.locator('#who').textContent(), 'admin@localhost');
    assert.equal(new URL(page.url()).pathname, '/');
  });

  it('gives a server on another port nothing it could use', async () => {
    const seen: string[] = [];
    await using other = await startWebServer((request, response) => {
      seen.push(request.headers.cookie ?? '');
      response.setHeader('content-type', 'text/html').end('<title>other</title>');
    });
    const tab = await page.context().newPage();
    await tab.goto(other.origin);
    assert.match(seen.join(), /c4r_session=/, 'the browser sent the cookie: ports do not keep it');
    const stolen = await fetch(`${origin}/api/v1/auth/me`, { headers: { cookie: seen.join('; ') } });
    assert.equal(((await stolen.json()) as { kind: string }).kind, 'anonymous');
    // The answer is hidden from the page; what matters is that the session lives on.
    await tab.evaluate(
      (url) => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => undefined),
      `${origin}/api/v1/auth/logout`,
    );
    await tab.close();
    await page.reload();
    await page.getByText('No crawl yet').waitFor();
  });

  it('says what is wrong with an address', async () => {
    await page.getByLabel('Crawl a site').fill('ftp://example.com');
    await page.getByRole('button', { name: 'Crawl' }).click();
    await page.locator('#crawl-notice:has-text("cannot be crawled")').waitFor();
    trouble.length = 0;
  });

  it('shows a crawl live, to its end, with what was left out and why', async () => {
    await page.getByLabel('Crawl a site').fill(`${site.origin}/`);
    await page.getByRole('spinbutton', { name: 'Depth' }).fill('1');
    await page.getByRole('spinbutton', { name: 'Pages at most' }).fill('25');
    await page.getByRole('button', { name: 'Crawl' }).click();
    await page.locator('#live-status.completed').waitFor({ timeout: 60_000 });
    const fetched = await page.locator('#live-counts div:has-text("fetched") b').textContent();
    assert.ok(Number(fetched) > 3, `${fetched} fetched`);
    await page.locator('#latest a').first().waitFor();
    await page.locator('#live details').first().waitFor();
  });

  it('finds a passage, marks the words and links to their place', async () => {
    const search = async () => {
      await page.getByLabel('Query').fill('sensors for vineyards');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('#search-meta:has-text("ms")').waitFor();
      return page.locator('.hit').count();
    };
    // Pages become searchable a moment after they are fetched.
    for (let tries = 0; (await search()) === 0 && tries < 40; tries++) await page.waitForTimeout(250);
    await page.locator('.hit mark').first().waitFor();
    const link = await page.locator('.hit h3 a').first().getAttribute('href');
    assert.match(link ?? '', /#:~:text=/);
    if (process.env.SCREENSHOT !== undefined) await page.screenshot({ path: 'docs/screenshot.png' });
  });

  it('reads the API reference from the specification', async () => {
    await page.goto(`${origin}/docs`);
    await page.locator('#startDeepCrawl').waitFor();
    await page.getByLabel('Filter routes').fill('deep');
    assert.equal(await page.locator('.operation').count(), 1);
  });

  it('did all of it without an error, and without asking anybody else', () => {
    assert.deepEqual(trouble, []);
  });
});
