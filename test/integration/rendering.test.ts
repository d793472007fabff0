import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CrawlOptions } from '../../src/db/crawls/crawl-options.ts';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { runFetcher, runParser, runWorker } from '../../src/roles/worker.ts';
import { noBrowser } from '../support/browser.ts';
import { createEngine, type Engine } from '../support/engine.ts';
import { openSite, watchCrawls, words } from '../support/watch-crawls.ts';
import type { WebServer } from '../support/web-server.ts';

const shell = (script: string) =>
  `<!doctype html><html lang="en"><title>App</title><body><div id="root"></div><script>${script}</script></body></html>`;
const PAGES: Record<string, string> = {
  '/app': shell(
    `document.getElementById('root').innerHTML = '<p>${words} Made by a script.</p><a href="/app">here</a>'`,
  ),
  '/late': shell(`setTimeout(() => { root.innerHTML = '<p id="done">${words} Made at last.</p>' }, 1500)`),
  '/leaves': shell(`location.href = '/private/page'`),
  '/private/page': `<p>${words}</p>`,
};

const ROLES = { worker: [runWorker], 'fetcher and parser': [runFetcher, runParser] };

for (const [name, roles] of Object.entries(ROLES))
  describe(`a crawl of pages that scripts fill, by ${name}`, { skip: noBrowser }, () => {
    let engine: Engine;
    let site: WebServer;
    before(async () => {
      engine = await createEngine();
      site = await openSite((path, _request, response) => {
        if (path === '/robots.txt') response.writeHead(200).write('user-agent: *\ndisallow: /private/');
        else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[path]);
      });
      for (const role of roles) engine.run(role);
    });
    after(async () => {
      await engine[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    });
    const { tasksOf, untilCrawl, ended } = watchCrawls(() => engine);
    const read = async (path: string, options: CrawlOptions) => {
      await engine.database.query('DELETE FROM documents');
      const { id } = await startCrawl(engine.app, {
        urls: [site.origin + path],
        options: { max_retries: 0, ...options },
      });
      await untilCrawl(id, ended);
      const [document] = await engine.database.query<{ content: string }>('SELECT content FROM documents');
      return { code: (await tasksOf(id))[0]!.code, content: document?.content };
    };

    it('runs the scripts of a page that is empty without them', async () => {
      assert.match((await read('/app', {})).content!, /Made by a script/);
    });

    it('runs none where the crawl says never', async () => {
      assert.deepEqual(await read('/app', { render: 'never' }), { code: 'CONTENT_EMPTY', content: undefined });
    });

    it('waits for what the crawl says it must', async () => {
      assert.match((await read('/late', { render: 'always', wait_for: '#done' })).content!, /Made at last/);
    });

    it('goes nowhere that robots.txt forbids, whoever leads there', async () => {
      assert.deepEqual(await read('/leaves', {}), { code: 'ROBOTS_DISALLOWED', content: undefined });
      assert.ok(!site.asked.includes('/private/page'));
    });
  });
