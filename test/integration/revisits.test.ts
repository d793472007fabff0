import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clearCrawlCache, clearDomainCache } from '../../src/operations/cache/clear-cache.ts';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { blockDomain } from '../../src/operations/domains/block-domain.ts';
import { getDomain } from '../../src/operations/domains/get-domain.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { eventually, useEngine } from '../support/engine.ts';
import { html, openSite, watchCrawls, words } from '../support/watch-crawls.ts';
import type { WebServer } from '../support/web-server.ts';

describe('pages that were there before, lead elsewhere, or are not there', () => {
  const engine = useEngine([runWorker, runScheduler]);
  const { tasksOf, untilCrawl, ended } = watchCrawls(() => engine);

  it('304 for a page that was not kept says again why, and keeps it for a crawl that takes it', async () => {
    await using site = await openSite((path, request, response) => {
      if (path === '/robots.txt') return;
      response.setHeader('etag', `"${path}"`);
      if (path === '/noindex') response.setHeader('x-robots-tag', 'noindex');
      const text = 'Ein deutscher Satz über Leuchttürme, die am Ufer der See stehen und in der Nacht weit leuchten.';
      if (request.headers['if-none-match'] === `"${path}"`) response.writeHead(304).end();
      else html(response, [], path === '/noindex' ? words : text);
    });
    const urls = [`${site.origin}/german`, `${site.origin}/noindex`];
    const visit = async (languages: string[]) => {
      const { id } = await startCrawl(engine.app, { urls, options: { languages } });
      await untilCrawl(id, ended);
      return (await tasksOf(id)).map(({ code }) => code);
    };
    assert.deepEqual(await visit(['en']), ['LANGUAGE_SKIPPED', 'NOINDEX']);
    assert.deepEqual(await visit(['en']), ['LANGUAGE_SKIPPED', 'NOINDEX']);
    assert.deepEqual(await visit(['de']), [null, 'NOINDEX']);
    const kept = await engine.database.query<{ url: string }>('SELECT url FROM documents WHERE url LIKE $1', [
      `${site.origin}/%`,
    ]);
    assert.deepEqual(kept, [{ url: urls[0] }]);
  });

  it('a page that is taken from what is stored does not get younger by it', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response);
    });
    const read = async () => {
      const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/`], options: { max_age_s: 3_600 } });
      await untilCrawl(id, ended);
    };
    const age = (minutes: number) =>
      engine.database.query(
        `UPDATE pages SET last_crawled_at = last_crawled_at - $2::int * interval '1 minute' WHERE url = $1`,
        [`${site.origin}/`, minutes],
      );
    await read();
    await age(40);
    await read();
    assert.equal(site.asked.filter((path) => path === '/').length, 1);
    await age(40);
    await read();
    assert.equal(site.asked.filter((path) => path === '/').length, 2);
  });

  it('a response to the headers of one crawl is no answer for another, however young', async () => {
    const seen: (string | undefined)[] = [];
    await using site = await openSite((path, request, response) => {
      if (path === '/robots.txt') return;
      seen.push(request.headers.authorization);
      response.setHeader('etag', '"one"');
      html(response);
    });
    const urls = [`${site.origin}/`];
    const read = async (options: { headers?: Record<string, string> }) => {
      const { id } = await startCrawl(engine.app, { urls, options: { max_age_s: 3_600, ...options } });
      await untilCrawl(id, ended);
    };
    await read({ headers: { authorization: 'mine' } });
    await read({});
    await read({});
    assert.deepEqual(seen, ['mine', undefined]);
  });

  it('a stored response answers no more once the crawl cache is cleared, for all or for its domain', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response);
    });
    const read = async () => {
      const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/`], options: { max_age_s: 3_600 } });
      await untilCrawl(id, ended);
      return site.asked.filter((path) => path === '/').length;
    };
    assert.deepEqual([await read(), await read()], [1, 1]);
    assert.ok((await clearCrawlCache(engine.app)).cleared >= 1);
    assert.deepEqual([await read(), await read()], [2, 2]);
    assert.equal((await clearDomainCache(engine.app, new URL(site.origin).host)).cleared, 1);
    assert.deepEqual([await read(), await read()], [3, 3]);
    await clearDomainCache(engine.app, 'example.com');
    assert.equal(await read(), 3, 'another domain is another cache');
  });

  it('a redirect to a blocked domain is not followed, and its failures are not those of the domain it came from', async () => {
    await using closed = await openSite((_path, _request, response) => response.end());
    await using busy = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      response.writeHead(429, { 'retry-after': '60' }).end();
    });
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      response.writeHead(302, { location: `${path === '/blocked' ? closed.origin : busy.origin}/page` }).end();
    });
    await blockDomain(engine.app, `127.0.0.1:${closed.port}`, { reason: 'asked us to' });
    const { id } = await startCrawl(engine.app, {
      urls: [`${site.origin}/blocked`, `${site.origin}/busy`],
      options: { max_retries: 0 },
    });
    await untilCrawl(id, ended);
    assert.deepEqual(
      (await tasksOf(id)).map(({ status, code }) => [status, code]),
      [
        ['skipped', 'DOMAIN_BLOCKED'],
        ['failed', 'HTTP_429'],
      ],
    );
    assert.deepEqual(closed.asked, []);
    const pausedFor = async ({ port }: WebServer) => {
      const at = (await getDomain(engine.app, `127.0.0.1:${port}`)).next_request_at;
      return at === null ? 0 : at.getTime() - Date.now();
    };
    await eventually(
      () => pausedFor(busy),
      (ms) => ms > 30_000,
    );
    assert.ok((await pausedFor(site)) < 1_000);
  });

  it('a site that takes no connections is told at once, by that name', async () => {
    const gone = await openSite(() => {});
    await gone[Symbol.asyncDispose]();
    const { id } = await startCrawl(engine.app, { urls: [`${gone.origin}/`] });
    await untilCrawl(id, ended);
    assert.deepEqual(
      (await tasksOf(id)).map(({ status, code, attempt }) => [status, code, attempt]),
      [['failed', 'CONNECT_FAILED', 4]],
    );
  });
});
