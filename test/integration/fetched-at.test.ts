import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queueDocuments } from '../../src/db/search/outbox.ts';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { useEngine } from '../support/engine.ts';
import { html, openSite, watchCrawls } from '../support/watch-crawls.ts';

const HOUR_MS = 3_600_000;

describe('searches by the time of the last visit', () => {
  const engine = useEngine([runWorker, runScheduler]);
  const { untilCrawl, ended } = watchCrawls(() => engine);
  const index = async () => {
    await engine.database.query('UPDATE outbox SET due_at = now()');
    await createIndexer(engine.app, { worker: 'test' }).drain();
  };
  const search = async (query: string, input: object, mode: 'keyword' | 'vector') =>
    (await searchDocuments(engine.app, SearchRequest.parse({ query, ...input }), mode)).results.map(({ url }) => url);

  for (const etag of [true, false])
    it(`a visit without news (${etag ? '304' : 'the same text'}) counts, and nothing is embedded again`, async () => {
      const word = etag ? 'lighthouse' : 'windmill';
      await using site = await openSite((path, request, response) => {
        if (path === '/robots.txt') return;
        if (etag) response.setHeader('etag', '"1"');
        if (etag && request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
        else html(response, [], `All about the ${word}, which stands at the shore and is worth keeping.`);
      });
      const url = `${site.origin}/it`;
      const crawl = async () => {
        const { id } = await startCrawl(engine.app, { urls: [url] });
        await untilCrawl(id, ended);
      };
      await crawl();
      const rows = await engine.database.query<{ id: string }>(
        `UPDATE documents SET fetched_at = now() - interval '2 days' WHERE url = $1 RETURNING id`,
        [url],
      );
      await queueDocuments(engine.database, [rows[0]!.id]);
      await index();
      const chunks = () =>
        engine.database.query('SELECT id, created_at, embedding_model FROM chunks WHERE document_id = $1', [
          rows[0]!.id,
        ]);
      const made = await chunks();
      const hourAgo = new Date(Date.now() - HOUR_MS).toISOString();
      for (const mode of ['keyword', 'vector'] as const) {
        assert.deepEqual(await search(word, { date_from: hourAgo, domains: [`127.0.0.1:${site.port}`] }, mode), []);
        assert.deepEqual(await search(word, { date_to: hourAgo, domains: [`127.0.0.1:${site.port}`] }, mode), [url]);
      }

      await crawl();
      await index();
      for (const mode of ['keyword', 'vector'] as const) {
        assert.deepEqual(await search(word, { date_from: hourAgo, domains: [`127.0.0.1:${site.port}`] }, mode), [url]);
        assert.deepEqual(await search(word, { date_to: hourAgo, domains: [`127.0.0.1:${site.port}`] }, mode), []);
      }
      assert.deepEqual(await chunks(), made);
      // The indexes are a minute coarse; what is shown is not.
      assert.deepEqual(await search(word, { date_from: new Date(Date.now() + 1_000).toISOString() }, 'keyword'), []);
    });

  it('many visits of a minute are one row a document, and one write of each index', async () => {
    const touched: number[] = [];
    const app = { ...engine.app, fulltext: Object.assign(Object.create(engine.app.fulltext), engine.app.fulltext) };
    app.fulltext.touch = async (ids: readonly string[]) => void touched.push(ids.length);
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, [], `The page at ${path} says what it always says to those who come.`);
    });
    const urls = Array.from({ length: 12 }, (_, at) => `${site.origin}/${at}`);
    for (let visit = 0; visit < 3; visit++) {
      const { id } = await startCrawl(engine.app, { urls });
      await untilCrawl(id, ended);
      if (visit === 0) await index();
    }
    await engine.database.query(
      `UPDATE documents SET fetched_at = date_trunc('minute', now()) + interval '3 s' WHERE url = ANY ($1)`,
      [urls],
    );
    await engine.database.query('UPDATE outbox SET due_at = now()');
    await createIndexer(app, { worker: 'test' }).drain();
    assert.deepEqual(touched, [12]);
  });
});
