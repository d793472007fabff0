import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { foldDuplicates } from '../../src/pipeline/search/fold-duplicates.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { createTestDatabase } from '../support/database.ts';
import { useEngine } from '../support/engine.ts';
import { createIndexApp, putDocument } from '../support/index-app.ts';
import { html, openSite, watchCrawls } from '../support/watch-crawls.ts';

const text = (seed: number) =>
  Array.from({ length: 300 }, (_, at) => `word${(at * at * 31 + at * 7 + seed * 1_009) % 4_001}`).join(' ');

describe('documents that are nearly the same', () => {
  const engine = useEngine([runWorker, runScheduler]);
  const { untilCrawl, ended } = watchCrawls(() => engine);
  const crawl = async (...urls: string[]) => {
    const { id } = await startCrawl(engine.app, { urls });
    await untilCrawl(id, ended);
    await createIndexer(engine.app, { worker: 'test' }).drain();
  };
  const search = (input: object) =>
    searchDocuments(engine.app, SearchRequest.parse({ query: 'cormorant', collapse: true, ...input }), 'keyword');

  it('are shown as one that says how many it stands for, until they differ', async () => {
    let changed = false;
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      const own = path === '/a' && changed ? text(77) : path === '/other' ? text(5) : text(1);
      html(response, [], `The cormorant of the harbour. ${own} ${path === '/print' ? 'printed' : ''}`);
    });
    const url = (path: string) => site.origin + path;
    // Of one batch, and of a later one.
    await crawl(url('/a'), url('/print'), url('/other'));
    await crawl(url('/later'));
    const folded = await search({ duplicates: 'list' });
    assert.equal(folded.results.length, 2);
    const [leader] = folded.results.filter((hit) => hit.url !== url('/other'));
    assert.equal(leader!.duplicate_count, 2);
    assert.deepEqual([leader!.url, ...leader!.duplicate_urls!].sort(), ['/a', '/later', '/print'].map(url));
    assert.equal(folded.results.find((hit) => hit.url === url('/other'))!.duplicate_count, 0);
    assert.equal((await search({})).results[0]!.duplicate_urls, null);
    const shown = await search({ duplicates: 'show' });
    assert.deepEqual(shown.results.map((hit) => hit.url).sort(), ['/a', '/later', '/other', '/print'].map(url));
    assert.ok(shown.results.every((hit) => hit.duplicate_count === 0));

    changed = true;
    await crawl(url('/a'));
    const apart = (await search({})).results.map((hit) => [new URL(hit.url).pathname, hit.duplicate_count]);
    assert.deepEqual(apart.filter(([path]) => path === '/a' || path === '/other').sort(), [
      ['/a', 0],
      ['/other', 0],
    ]);
    assert.deepEqual(
      apart.filter(([path]) => path === '/print' || path === '/later').map(([, count]) => count),
      [1],
    );
  });
});

describe('folding', () => {
  it('keeps pages apart and brings up what copies would hide', async () => {
    await using database = await createTestDatabase();
    await using app = await createIndexApp(database);
    const copies: string[] = [];
    for (let at = 0; at < 130; at++) copies.push(await putDocument(database, `copy${at}`, 'zeppelin zeppelin moored'));
    for (let at = 0; at < 5; at++) await putDocument(database, `own${at}`, `a zeppelin among ${text(at).slice(0, 60)}`);
    await database.query('UPDATE documents SET duplicate_group = $2 WHERE id = ANY ($1::uuid[])', [copies, copies[0]]);
    await createIndexer(app).drain();
    const search = (input: object) => searchDocuments(app, SearchRequest.parse({ query: 'zeppelin', ...input }));
    const found = await search({ limit: 20 });
    assert.equal(found.results.length, 6);
    assert.deepEqual(
      found.results.map((hit) => hit.duplicate_count).sort((a, b) => b - a),
      [129, 0, 0, 0, 0, 0],
    );

    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await search({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.results.map((hit) => hit.url));
      cursor = page.next_cursor;
    }
    assert.deepEqual(
      seen,
      found.results.map((hit) => hit.url),
    );
    // Requested by id, each is shown.
    assert.equal((await search({ document_ids: copies.slice(0, 3) })).results.length, 3);
  });

  it('leaves one document of each group, the one with the best hit, in order', () => {
    const hit = fc.record({ documentId: fc.constantFrom(...'abcdefgh') });
    const groups = fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.constantFrom('x', 'y', 'z'));
    fc.assert(
      fc.property(fc.array(hit), groups, (hits, named) => {
        const groupOf = (documentId: string) => named[documentId] ?? documentId;
        const kept = foldDuplicates(hits, new Map(Object.entries(named)));
        const first = new Map<string, string>();
        for (const { documentId } of hits)
          if (!first.has(groupOf(documentId))) first.set(groupOf(documentId), documentId);
        assert.deepEqual(
          kept,
          hits.filter(({ documentId }) => first.get(groupOf(documentId)) === documentId),
        );
      }),
    );
  });
});
