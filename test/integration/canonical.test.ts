import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCrawl, startDeepCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { useEngine } from '../support/engine.ts';
import { openSite, watchCrawls } from '../support/watch-crawls.ts';

const text = (seed: number) =>
  Array.from({ length: 300 }, (_, at) => `word${(at * at * 31 + at * 7 + seed * 1_009) % 4_001}`).join(' ');

/** A page with the canonical addresses and links given, and a text that depends on the seed only. */
const page = (canonicals: readonly string[], seed: number, links: readonly string[] = []) =>
  `<title>Seed ${seed}</title>${canonicals.map((url) => `<link rel="canonical" href="${url}">`).join('')}<main><p>${text(seed)}</p></main>
   ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}`;

describe('rel=canonical', () => {
  const engine = useEngine([runWorker, runScheduler]);
  const { tasksOf, untilCrawl, ended, compare } = watchCrawls(() => engine);
  const open = (pages: Record<string, string>, links: Record<string, string> = {}) =>
    openSite((path, request, response) => {
      if (path === '/robots.txt') return;
      const etag = `"${path}"`;
      if (pages[path] === undefined) response.writeHead(404).end();
      else if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
      else {
        const link = links[path] === undefined ? {} : { link: links[path] };
        response.writeHead(200, { 'content-type': 'text/html', etag, ...link }).end(pages[path]);
      }
    });
  const crawl = async (...urls: string[]) => {
    const { id } = await startCrawl(engine.app, { urls });
    await untilCrawl(id, ended);
    await compare(id);
    return (await tasksOf(id)).map(({ url, status, code }) => [new URL(url).pathname, status, code]);
  };
  const found = async (origin: string) =>
    (
      await engine.database.query<{ url: string }>(
        'SELECT url FROM documents WHERE url LIKE $1 AND gone_at IS NULL ORDER BY url',
        [`${origin}/%`],
      )
    ).map(({ url }) => url.slice(origin.length));

  it('a variant is no second document once its canonical page is there, whichever came first', async () => {
    const pages: Record<string, string> = {
      '/item': page([], 1),
      '/print': page(['/item'], 1),
      '/late': page(['/item'], 1),
    };
    await using site = await open(pages);
    const url = (path: string) => site.origin + path;
    // The variant alone: what it says is found where it was read.
    assert.deepEqual(await crawl(url('/print')), [['/print', 'completed', null]]);
    assert.deepEqual(await found(site.origin), ['/print']);
    // Its canonical page comes: the variant leaves.
    await crawl(url('/item'));
    assert.deepEqual(await found(site.origin), ['/item']);
    // Another variant afterwards, and the first again, which answers 304.
    assert.deepEqual(await crawl(url('/late'), url('/print')), [
      ['/late', 'skipped', 'DUPLICATE_CONTENT'],
      ['/print', 'skipped', 'DUPLICATE_CONTENT'],
    ]);
    assert.deepEqual(await found(site.origin), ['/item']);
    const [row] = await engine.database.query('SELECT canonical_url, error_code FROM pages WHERE url = $1', [
      url('/late'),
    ]);
    assert.deepEqual(row, { canonical_url: url('/item'), error_code: 'DUPLICATE_CONTENT' });
    // The canonical page goes: the variant is found again.
    delete pages['/item'];
    await crawl(url('/item'));
    await crawl(url('/print'));
    assert.deepEqual(await found(site.origin), ['/print']);
  });

  it('the canonical page joins the crawl; both of one batch are one document', async () => {
    await using site = await open({
      '/': page([], 2, ['/shop?session=1']),
      '/shop?session=1': page(['/shop'], 3),
      '/shop': page(['/shop'], 3),
    });
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 3, max_pages: 10 });
    await untilCrawl(id, ended);
    assert.ok(site.asked.includes('/shop'));
    assert.deepEqual(await found(site.origin), ['/', '/shop']);
    await crawl(`${site.origin}/a`);
    await using batch = await open({ '/a': page([], 4), '/b': page(['/a'], 4) });
    await crawl(`${batch.origin}/b`, `${batch.origin}/a`);
    assert.deepEqual(await found(batch.origin), ['/a']);
  });

  it('a broken canonical is ignored: other content, another domain, two of them, a circle, a missing page', async () => {
    await using elsewhere = await open({ '/x': page([], 11) });
    await using site = await open({
      '/': page(['/'], 10),
      '/home1': page(['/'], 11),
      '/home2': page(['/'], 12),
      '/foreign': page([`${elsewhere.origin}/x`], 11),
      '/two': page(['/', '/foreign'], 10),
      '/missing': page(['/nowhere'], 13),
      '/round1': page(['/round2'], 14),
      '/round2': page(['/round1'], 14),
    });
    const url = (path: string) => site.origin + path;
    await crawl(`${elsewhere.origin}/x`);
    const paths = ['/', '/home1', '/home2', '/foreign', '/two', '/missing'];
    for (let visit = 0; visit < 2; visit++) {
      await crawl(...paths.map(url));
      assert.deepEqual(await found(site.origin), paths.toSorted());
    }
    for (let visit = 0; visit < 2; visit++) {
      await crawl(url('/round1'), url('/round2'));
      const left = (await found(site.origin)).filter((path) => path.startsWith('/round'));
      assert.equal(left.length, 1);
    }
  });

  it('a Link field names it as the markup does, also when the page is read again; one that differs from it is ignored', async () => {
    await using site = await open(
      { '/item': page([], 20), '/print': page([], 20), '/other': page(['/item'], 20) },
      { '/print': '</style.css>; rel=preload, </item>; rel="canonical"', '/other': '</elsewhere>; rel=canonical' },
    );
    const url = (path: string) => site.origin + path;
    await crawl(url('/item'));
    for (let visit = 0; visit < 2; visit++)
      assert.deepEqual(await crawl(url('/print'), url('/other')), [
        ['/other', 'completed', null],
        ['/print', 'skipped', 'DUPLICATE_CONTENT'],
      ]);
    assert.deepEqual(await found(site.origin), ['/item', '/other']);
  });
});
