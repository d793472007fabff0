import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { ListDocumentsInput, listDocuments } from '../../src/operations/documents/list-documents.ts';
import { ListProductsInput, listProducts } from '../../src/operations/products/list-products.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { useEngine } from '../support/engine.ts';
import { openSite, watchCrawls } from '../support/watch-crawls.ts';

const page = (word: string) =>
  `<title>The ${word}</title><h1>The ${word}</h1><p>All about the ${word}, which stands at the shore and is worth keeping.</p>
  <script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"The ${word}","sku":"${word}",
  "offers":{"@type":"Offer","price":"12.50","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script>`;

describe('pages that are no longer there', () => {
  const engine = useEngine([runWorker, runScheduler]);
  const { untilCrawl, ended } = watchCrawls(() => engine);

  const crawl = async (...urls: string[]) => {
    const { id } = await startCrawl(engine.app, { urls });
    await untilCrawl(id, ended);
  };
  const search = async (query: string) =>
    (await searchDocuments(engine.app, SearchRequest.parse({ query }), 'keyword')).results.map(({ url }) => url);
  const index = () => createIndexer(engine.app, { worker: 'test' }).drain();
  const documents = async (domain: string, gone: boolean) =>
    (await listDocuments(engine.app, ListDocumentsInput.parse({ domain, gone }))).items;
  const products = async (domain: string, gone: boolean) =>
    (await listProducts(engine.app, ListProductsInput.parse({ domain, gone }))).items.map(({ url }) => url);
  const rowsInIndex = async (url: string) => {
    const found: string[] = [];
    for await (const batch of engine.app.fulltext.ids()) found.push(...batch.map(({ documentId }) => documentId));
    for await (const batch of engine.app.vectors.ids()) found.push(...batch.map(({ documentId }) => documentId));
    const rows = await engine.database.query<{ id: string }>('SELECT id FROM documents WHERE url = $1', [url]);
    return found.filter((id) => id === rows[0]?.id).length;
  };

  for (const status of [404, 410])
    it(`${status} on a revisit: gone from search, lists and indexes, kept in history, back with the page`, async () => {
      const word = `lighthouse${status}`;
      let answer = 200;
      await using site = await openSite((path, _request, response) => {
        if (path === '/robots.txt') return;
        response.writeHead(answer, { 'content-type': 'text/html' }).end(answer === 200 ? page(word) : 'nothing here');
      });
      const domain = `127.0.0.1:${site.port}`;
      const url = `${site.origin}/it`;
      await crawl(url);
      await index();
      assert.deepEqual(await search(word), [url]);
      assert.deepEqual(await products(domain, false), [url]);

      answer = status;
      await crawl(url);
      // At once: the indexer has not run yet.
      assert.deepEqual(await search(word), []);
      assert.deepEqual(await documents(domain, false), []);
      assert.deepEqual(await products(domain, false), []);
      assert.deepEqual(await products(domain, true), [url]);
      const [gone] = await documents(domain, true);
      assert.deepEqual([gone?.url, gone?.gone_reason, gone?.indexed], [url, 'not_found', false]);
      await index();
      assert.equal(await rowsInIndex(url), 0);
      const [kept] = await engine.database.query(
        `SELECT (SELECT count(*) FROM product_prices x WHERE x.product_id = p.id) AS prices, g.http_status
         FROM products p JOIN pages g ON g.id = p.page_id WHERE p.url = $1`,
        [url],
      );
      assert.deepEqual(kept, { prices: 1, http_status: status });

      answer = 200;
      await crawl(url);
      await index();
      assert.deepEqual(await search(word), [url]);
      const [back] = await documents(domain, false);
      assert.deepEqual([back?.version, back?.gone_at, back?.indexed], [1, null, true]);
      assert.deepEqual(await products(domain, false), [url]);
    });

  it('other failures and temporary redirects leave the document; a first 404 makes nothing', async () => {
    let broken = false;
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      if (path === '/never') response.writeHead(404).end();
      else if (!broken || path === '/login') response.setHeader('content-type', 'text/html').end(page('windmill'));
      else if (path === '/forbidden') response.writeHead(403).end();
      else response.writeHead(302, { location: '/login' }).end();
    });
    const urls = ['/forbidden', '/account', '/never'].map((path) => site.origin + path);
    await crawl(...urls);
    broken = true;
    await crawl(...urls);
    const left = (await documents(`127.0.0.1:${site.port}`, false)).map(({ url }) => url).sort();
    assert.deepEqual(
      left,
      ['/account', '/forbidden', '/login'].map((path) => site.origin + path),
    );
    assert.deepEqual(await documents(`127.0.0.1:${site.port}`, true), []);
  });

  it('a page that moved for good is found where it is now; one that became noindex is not found', async () => {
    let later = false;
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      if (later && path === '/old') response.writeHead(301, { location: '/new' }).end();
      else if (later && path === '/via') response.writeHead(302, { location: '/missing' }).end();
      else if (later && path === '/missing') response.writeHead(404).end();
      else {
        if (later && path === '/private') response.setHeader('x-robots-tag', 'noindex');
        response.setHeader('content-type', 'text/html').end(page(`ferry of ${path.slice(1)}`));
      }
    });
    const domain = `127.0.0.1:${site.port}`;
    const urls = ['/old', '/private', '/via'].map((path) => site.origin + path);
    await crawl(...urls);
    later = true;
    await crawl(...urls);
    assert.deepEqual(
      (await documents(domain, false)).map(({ url }) => url),
      [`${site.origin}/new`],
    );
    assert.deepEqual((await documents(domain, true)).map(({ url, gone_reason }) => [url, gone_reason]).sort(), [
      [`${site.origin}/old`, 'moved'],
      [`${site.origin}/private`, 'noindex'],
      [`${site.origin}/via`, 'not_found'],
    ]);
    assert.deepEqual(await products(domain, false), [`${site.origin}/new`]);
  });
});
