import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import { createGuard } from '../../web/guard.ts';
import { createMemoryPace } from '../fetch/memory-pace.ts';
import { createPoliteClient } from '../fetch/polite-client.ts';
import { createMemoryRobots } from '../fetch/robots-store.ts';
import { discoverUrls } from './discover-urls.ts';
import type { DiscoveredUrl, DiscoverRequest, DiscoverSummary } from './types.ts';

type Answer = string | number | Error;

/** A web of a few addresses; what is not listed is 404. Keeps the order of requests. */
function createWeb(pages: Record<string, Answer>): { fetcher: Fetcher; asked: string[] } {
  const asked: string[] = [];
  const fetcher: Fetcher = {
    async fetch({ url }) {
      asked.push(url);
      const answer = pages[url] ?? 404;
      if (answer instanceof Error) throw answer;
      return {
        url,
        status: typeof answer === 'number' ? answer : 200,
        headers: {},
        body: Buffer.from(typeof answer === 'string' ? answer : ''),
        redirects: [],
        timings: { firstByteMs: 0, totalMs: 0 },
      };
    },
    async [Symbol.asyncDispose]() {},
  };
  return { fetcher, asked };
}

async function discover(pages: Record<string, Answer>, request: Partial<DiscoverRequest> = {}, tools = {}) {
  const { fetcher, asked } = createWeb(pages);
  const polite = createPoliteClient({
    guard: createGuard([]),
    fetcher,
    pace: createMemoryPace({ defaultRps: 0, maxCrawlDelayMs: 60_000 }),
    robotsStore: createMemoryRobots(),
    settings: Settings.parse({ userAgent: 'crawl4r/1' }),
  });
  const found: DiscoveredUrl[] = [];
  const run = discoverUrls(
    { polite, fetcher, userAgent: 'crawl4r/1', commonCrawlUrl: 'https://cdx.example.net', ...tools },
    { site: 'example.com', sources: ['sitemap'], maxUrls: 100, ...request },
  );
  let summary: DiscoverSummary | undefined;
  while (summary === undefined) {
    const step = await run.next();
    if (step.done === true) summary = step.value;
    else found.push(step.value);
  }
  return { found, urls: found.map(({ url }) => url), summary, asked };
}

const urlset = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const index = (...urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

describe('sitemaps', () => {
  test('robots.txt names them, in any place', async () => {
    const { urls, asked } = await discover({
      'https://example.com/robots.txt': 'Sitemap: /maps/a.xml\nSitemap: https://cdn.example.net/b.xml',
      'https://example.com/maps/a.xml': urlset('/1', 'https://other.example/x'),
      'https://cdn.example.net/b.xml': urlset('https://www.example.com/2', 'https://example.com/1#top'),
    });
    assert.deepEqual(urls, ['https://example.com/1', 'https://www.example.com/2']);
    assert.ok(!asked.includes('https://example.com/sitemap.xml'));
  });

  test('the usual places are tried when it names none', async () => {
    const { urls, asked, summary } = await discover({ 'https://example.com/sitemap.txt': 'https://example.com/1\n' });
    assert.deepEqual(urls, ['https://example.com/1']);
    assert.deepEqual(asked, [
      'https://example.com/robots.txt',
      'https://example.com/sitemap.xml',
      'https://example.com/sitemap_index.xml',
      'https://example.com/sitemap.txt',
    ]);
    assert.deepEqual(
      summary.problems.map(({ code }) => code),
      ['HTTP_4XX', 'HTTP_4XX'],
    );
  });

  test('asked for robots.txt alone, the usual places are left', async () => {
    const { asked } = await discover({}, { sources: ['robots'] });
    assert.deepEqual(asked, ['https://example.com/robots.txt']);
  });

  test('indexes that point to themselves or in a circle end', async () => {
    const { urls, asked } = await discover({
      'https://example.com/sitemap.xml': index('/sitemap.xml', '/a.xml'),
      'https://example.com/a.xml': index('/b.xml'),
      'https://example.com/b.xml': index('/a.xml', '/sitemap.xml', '/c.xml'),
      'https://example.com/c.xml': urlset('/1'),
    });
    assert.deepEqual(urls, ['https://example.com/1']);
    assert.equal(new Set(asked).size, asked.length, 'nothing is asked for twice');
  });

  test('an index that grows for ever is cut by depth and by number', async () => {
    const endless: Record<string, string> = { 'https://example.com/sitemap.xml': index('/0.xml') };
    for (let step = 0; step < 50; step++) endless[`https://example.com/${step}.xml`] = index(`/${step + 1}.xml`);
    const deep = await discover(endless);
    assert.ok(deep.asked.length < 10);
    assert.ok(deep.summary.problems.some(({ code }) => code === 'DEPTH_LIMIT'));
    const wide = await discover(
      { 'https://example.com/sitemap.xml': index(...Array.from({ length: 50 }, (_, i) => `/${i}.xml`)) },
      {},
      { maxSitemaps: 5 },
    );
    assert.equal(wide.asked.filter((url) => /\/\d+\.xml$/.test(url)).length, 4);
    assert.ok(wide.summary.problems.some(({ code }) => code === 'LINK_LIMIT'));
  });

  test('alternates in other languages are addresses too', async () => {
    const { found } = await discover({
      'https://example.com/sitemap.xml':
        '<urlset xmlns:x="http://www.w3.org/1999/xhtml"><url><loc>/en</loc><x:link rel="alternate" hreflang="de" href="/de"/></url></urlset>',
    });
    assert.deepEqual(found, [
      { url: 'https://example.com/en', source: 'sitemap' },
      { url: 'https://example.com/de', source: 'sitemap', language: 'de' },
    ]);
  });
});

describe('robots.txt', () => {
  test('what it forbids is not asked for', async () => {
    const { asked, summary } = await discover(
      { 'https://example.com/robots.txt': 'User-agent: *\nDisallow: /', 'https://example.com/': '<a href="/x">x</a>' },
      { sources: ['sitemap', 'links'] },
    );
    assert.deepEqual(asked, ['https://example.com/robots.txt']);
    assert.ok(summary.problems.every(({ code }) => code === 'ROBOTS_DISALLOWED'));
  });

  test('when it cannot be read nothing is', async () => {
    for (const answer of [503, 429, new AppError('TIMEOUT', 'too slow')]) {
      const { asked, summary } = await discover({ 'https://example.com/robots.txt': answer });
      assert.deepEqual(asked, ['https://example.com/robots.txt']);
      assert.equal(summary.problems[0]?.code, 'ROBOTS_UNAVAILABLE');
    }
  });
});

describe('pages and feeds', () => {
  const HOME = `<html><head><base href="https://example.com/base/"><link rel="alternate" type="application/rss+xml" href="/rss"></head>
    <body><a href="one">First <b>one</b></a><a href="mailto:x@example.com">mail</a><a href="https://other.example/">away</a></body></html>`;

  test('links of the home page, with their text', async () => {
    const { found } = await discover({ 'https://example.com/': HOME }, { sources: ['links'] });
    assert.deepEqual(found, [
      { url: 'https://example.com/', source: 'links' },
      { url: 'https://example.com/base/one', source: 'links', title: 'First one' },
    ]);
  });

  test('feeds the home page names; it is fetched once for both', async () => {
    const { found, asked } = await discover(
      {
        'https://example.com/': HOME,
        'https://example.com/rss': '<rss><channel><item><title>T</title><link>/t</link></item></channel></rss>',
      },
      { sources: ['feeds', 'links'] },
    );
    assert.deepEqual(found[0], { url: 'https://example.com/t', source: 'feeds', title: 'T' });
    assert.equal(asked.filter((url) => url === 'https://example.com/').length, 1);
  });

  test('a feed at the usual place, though the home page fails', async () => {
    const { urls } = await discover(
      { 'https://example.com/': 500, 'https://example.com/atom.xml': '<feed><entry><link href="/e"/></entry></feed>' },
      { sources: ['feeds'] },
    );
    assert.deepEqual(urls, ['https://example.com/e']);
  });
});

describe('Common Crawl', () => {
  const api = 'https://cdx.example.net/CC-2-index';
  const query = (more: string) => `${api}?url=*.example.com&output=json&${more}`.replace('*', '*');
  const web = {
    'https://cdx.example.net/collinfo.json': JSON.stringify([
      { id: 'CC-2', 'cdx-api': api },
      { id: 'CC-1', 'cdx-api': 'https://cdx.example.net/CC-1-index' },
    ]),
    [query('showNumPages=true')]: '{"pages": 2, "pageSize": 5, "blocks": 9}',
    [query('page=0&fl=url%2Ctimestamp%2Cstatus%2Cmime')]:
      '{"url": "https://example.com/1", "timestamp": "20240506070809", "status": "200", "mime": "text/html"}\nbroken\n{"url": "https://example.com/gone", "status": "404"}\n',
    [query('page=1&fl=url%2Ctimestamp%2Cstatus%2Cmime')]:
      '{"url": "https://example.com/2"}\n{"url": "https://example.com/i.png", "mime": "image/png"}',
  };

  test('pages of captures are read one after the other', async () => {
    const { found, asked } = await discover(web, { sources: ['common_crawl'] });
    assert.deepEqual(found, [
      { url: 'https://example.com/1', source: 'common_crawl', lastModified: '2024-05-06T07:08:09.000Z' },
      { url: 'https://example.com/2', source: 'common_crawl' },
    ]);
    assert.equal(asked.length, 4);
  });

  test('an older crawl is asked when the newest has nothing; trouble is told', async () => {
    const { [query('showNumPages=true')]: _, ...without } = web;
    const older = await discover(
      {
        ...without,
        [`${query('showNumPages=true').replace('CC-2', 'CC-1')}`]: '1',
        [query('page=0&fl=url%2Ctimestamp%2Cstatus%2Cmime').replace('CC-2', 'CC-1')]:
          '{"url":"https://example.com/old"}',
      },
      { sources: ['common_crawl'] },
    );
    assert.deepEqual(older.urls, ['https://example.com/old']);
    const down = await discover({ 'https://cdx.example.net/collinfo.json': 503 }, { sources: ['common_crawl'] });
    assert.equal(down.summary.problems[0]?.code, 'HTTP_5XX');
    const odd = await discover({ 'https://cdx.example.net/collinfo.json': '<html>' }, { sources: ['common_crawl'] });
    assert.equal(odd.summary.problems[0]?.code, 'RESPONSE_INVALID');
  });
});

describe('filters', () => {
  const pages = {
    'https://example.com/sitemap.xml': urlset('/blog/solar-panels', '/blog/wind', '/shop/solar', '/about'),
  };

  test('pattern and number', async () => {
    assert.deepEqual((await discover(pages, { pattern: '/blog/*' })).urls, [
      'https://example.com/blog/solar-panels',
      'https://example.com/blog/wind',
    ]);
    const { urls, summary } = await discover(pages, { maxUrls: 2 });
    assert.equal(urls.length, 2);
    assert.equal(summary.limit, 'urls');
  });

  test('a query keeps the best, best first', async () => {
    const { found } = await discover(pages, { query: 'solar panel', scoreThreshold: 0.1 });
    assert.deepEqual(
      found.map(({ url }) => url),
      ['https://example.com/blog/solar-panels', 'https://example.com/shop/solar'],
    );
    assert.ok(found[0]!.score! > found[1]!.score!);
  });

  test('subdomains belong to a site, its parent does not', async () => {
    const web = {
      'https://docs.example.com/sitemap.xml': urlset(
        'https://docs.example.com/1',
        'https://v2.docs.example.com/2',
        'https://example.com/3',
      ),
    };
    assert.deepEqual((await discover(web, { site: 'https://docs.example.com/start' })).urls, [
      'https://docs.example.com/1',
      'https://v2.docs.example.com/2',
    ]);
  });

  test('a host with a port is asked by http', async () => {
    const { urls } = await discover(
      { 'http://example.com:8080/sitemap.xml': urlset('/1') },
      { site: 'example.com:8080' },
    );
    assert.deepEqual(urls, ['http://example.com:8080/1']);
  });

  test('what is no site is refused', async () => {
    await assert.rejects(
      discover({}, { site: 'ftp://x' }),
      (error) => error instanceof AppError && error.code === 'URL_INVALID',
    );
  });

  test('stopping ends it', async () => {
    const { asked, summary } = await discover(pages, {}, { signal: AbortSignal.abort() });
    assert.deepEqual(asked, []);
    assert.equal(summary.problems[0]?.code, 'CANCELLED');
  });
});
