import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parseSitemap, readSitemap } from './sitemap.ts';

const HOME = 'https://example.com/sitemap.xml';
const parse = (text: string | Uint8Array, limits = {}) =>
  parseSitemap(typeof text === 'string' ? Buffer.from(text) : text, HOME, limits);
const urls = async (text: string | Uint8Array) => (await parse(text)).entries.map((entry) => entry.url);

const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
        xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
  <!-- <url><loc>https://example.com/commented-out</loc></url> -->
  <url>
    <loc> https://example.com/a?x=1&amp;y=2 </loc>
    <lastmod>2024-05-06T07:08:09+02:00</lastmod><changefreq>Daily</changefreq><priority>0.8</priority>
    <image:image><image:loc>https://example.com/a.jpg</image:loc></image:image>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/a"/>
    <xhtml:link rel="alternate" hreflang="fr" href="/fr/a"/>
    <news:news><news:title>A &amp; B</news:title></news:news>
  </url>
  <url><loc><![CDATA[https://example.com/b?x=1&y=2]]></loc><lastmod>soon</lastmod><priority>7</priority></url>
</urlset>`;

describe('sitemaps', () => {
  test('every field is read, images are left out', async () => {
    const { kind, entries, problem } = await parse(SITEMAP);
    assert.equal(kind, 'urlset');
    assert.equal(problem, undefined);
    assert.deepEqual(entries, [
      {
        type: 'url',
        url: 'https://example.com/a?x=1&y=2',
        lastModified: '2024-05-06T05:08:09.000Z',
        changeFrequency: 'daily',
        priority: 0.8,
        title: 'A & B',
        alternates: [
          { language: 'de', url: 'https://example.com/de/a' },
          { language: 'fr', url: 'https://example.com/fr/a' },
        ],
      },
      { type: 'url', url: 'https://example.com/b?x=1&y=2' },
    ]);
  });

  test('an index gives sitemaps, also without loc', async () => {
    const { kind, entries } = await parse(
      '<sitemapindex><sitemap><loc>/one.xml</loc><lastmod>2024-01</lastmod></sitemap><sitemap>\nhttps://example.com/two.xml\n</sitemap></sitemapindex>',
    );
    assert.equal(kind, 'index');
    assert.deepEqual(entries, [
      { type: 'sitemap', url: 'https://example.com/one.xml', lastModified: '2024-01-01T00:00:00.000Z' },
      { type: 'sitemap', url: 'https://example.com/two.xml' },
    ]);
  });

  const sloppy: [string, string][] = [
    ['no namespace', '<urlset><url><loc>https://example.com/1</loc></url></urlset>'],
    ['a wrong namespace', '<urlset xmlns="http://example.org/x"><url><loc>https://example.com/1</loc></url></urlset>'],
    [
      'a prefix',
      '<s:urlset xmlns:s="https://www.sitemaps.org/schemas/sitemap/0.9/"><s:url><s:loc>https://example.com/1</s:loc></s:url></s:urlset>',
    ],
    ['an undeclared prefix', '<s:urlset><s:url><s:loc>https://example.com/1</s:loc></s:url></s:urlset>'],
    ['capitals', '<URLSET><URL><LOC>https://example.com/1</LOC></URL></URLSET>'],
    ['unclosed loc', '<urlset><url><loc>https://example.com/1<lastmod>2020-01-01</lastmod></url></urlset>'],
    ['wrong end tag', '<urlset><url><loc>https://example.com/1</lok></url></urlset>'],
    ['nothing closed', '<urlset><url><loc>https://example.com/1'],
    ['cut in a tag', '<urlset><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</lo'],
    [
      'text before the XML',
      'Warning: something\n<?xml version="1.0"?><urlset><url><loc>https://example.com/1</loc></url></urlset>',
    ],
    ['no root', '<url><loc>https://example.com/1</loc></url>'],
    ['stray ampersands', '<urlset><url><loc>https://example.com/1</loc><x> & && &nope; </x></url></urlset>'],
    ['a stray <', '<urlset><url><loc>https://example.com/1</loc><x> 1 < 2 </x></url></urlset>'],
    ['an unquoted attribute', '<urlset a=b c><url d><loc>https://example.com/1</loc></url></urlset>'],
  ];
  for (const [name, text] of sloppy)
    test(`is taken with ${name}`, async () => {
      assert.equal((await urls(text))[0], 'https://example.com/1');
    });

  test('url elements that are not closed do not swallow each other', async () => {
    const text = '<urlset><url><loc>https://example.com/1</loc><url><loc>https://example.com/2</loc></urlset>';
    assert.deepEqual(await urls(text), ['https://example.com/1', 'https://example.com/2']);
  });

  test('each loc of a forgotten end tag is an entry with what follows it', async () => {
    const { entries } = await parse(
      '<sitemapindex><sitemap><loc>/1.xml</loc><lastmod>2024-01-01</lastmod><loc>/2.xml</loc><loc>/3.xml</loc><lastmod>2024-03-03</lastmod></sitemap></sitemapindex>',
    );
    assert.deepEqual(
      entries.map(({ url, lastModified }) => [url.slice(-5), lastModified?.slice(0, 10)]),
      [
        ['1.xml', '2024-01-01'],
        ['2.xml', undefined],
        ['3.xml', '2024-03-03'],
      ],
    );
  });

  test('a missing scheme is that of the sitemap', async () => {
    const expected = ['https://www.example.com/x'];
    assert.deepEqual(await urls('<urlset><url><loc>www.example.com/x</loc></url></urlset>'), expected);
    assert.deepEqual(await urls('www.example.com/x\nhello'), expected);
  });

  test('unescaped ampersands stay in addresses', async () => {
    const text = '<urlset><url><loc>https://example.com/?a=1&b=2&copy=3</loc></url></urlset>';
    assert.deepEqual(await urls(text), ['https://example.com/?a=1&b=2&copy=3']);
  });

  test('addresses that are not http are left out', async () => {
    const text =
      '<urlset><url><loc>file:///etc/passwd</loc></url><url><loc>javascript:x</loc></url><url><loc></loc></url></urlset>';
    assert.deepEqual(await urls(text), []);
  });

  test('text sitemaps, with a byte order mark and other line ends', async () => {
    const { kind, entries } = await parse('\ufeffhttps://example.com/1\r\nnot an address\rhttps://example.com/2\n\n');
    assert.equal(kind, 'text');
    assert.deepEqual(
      entries.map((entry) => entry.url),
      ['https://example.com/1', 'https://example.com/2'],
    );
  });

  test('an HTML page is no sitemap', async () => {
    const { kind, entries } = await parse('<!doctype html><html><body><url><loc>https://example.com/1</loc></url>');
    assert.equal(kind, 'unknown');
    assert.deepEqual(entries, []);
  });

  test('a feed is one: links and dates', async () => {
    const { kind, entries } = await parse(
      '<rss><channel><link>https://example.com/</link><item><title>T</title><link>https://example.com/1</link><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate></item></channel></rss>',
    );
    assert.equal(kind, 'feed');
    assert.deepEqual(entries, [
      { type: 'url', url: 'https://example.com/1', lastModified: '2024-05-06T07:08:09.000Z', title: 'T' },
    ]);
  });

  test('gzip is known by its bytes, once or twice, whole or cut', async () => {
    const zipped = gzipSync(SITEMAP);
    assert.equal((await urls(zipped)).length, 2);
    assert.equal((await urls(gzipSync(zipped))).length, 2);
    assert.equal((await urls(zipped.subarray(0, zipped.length - 12))).length, 2);
  });

  test('other encodings', async () => {
    const text = (name: string) =>
      `<?xml version="1.0" encoding="${name}"?><urlset><url><loc>https://example.com/caf\u00e9</loc></url></urlset>`;
    const expected = ['https://example.com/caf%C3%A9'];
    assert.deepEqual(await urls(Buffer.from(text('ISO-8859-1'), 'latin1')), expected);
    assert.deepEqual(await urls(Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le')), expected);
    assert.deepEqual(await urls(Buffer.from(text('utf-8'), 'latin1')), expected, 'says UTF-8 and is not');
  });
});

describe('hostile sitemaps', () => {
  test('entities of the document are neither expanded nor fetched', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE urlset [
      <!ENTITY a "aaaaaaaaaa"> <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"> <!ENTITY f SYSTEM "file:///etc/passwd"> ]>
      <urlset><url><loc>&f;</loc></url><url><loc><xi:include href="file:///etc/passwd"/></loc></url><url><loc>https://example.com/&b;</loc></url><url><loc>https://example.com/x&f;</loc></url></urlset>`;
    assert.deepEqual(await urls(bomb), ['https://example.com/&b;', 'https://example.com/x&f;']);
  });

  test('a zip bomb ends with its code and keeps what came before', async () => {
    const bomb = gzipSync(`<urlset><url><loc>https://example.com/1</loc></url>${' '.repeat(5_000_000)}`);
    assert.ok(bomb.length < 10_000);
    const { entries, problem } = await parse(bomb, { maxBytes: 100_000 });
    assert.equal(problem, 'DECOMPRESSION_BOMB');
    assert.equal(entries.length, 1);
  });

  test('too many entries, too many bytes', async () => {
    const many = `<urlset>${'<url><loc>https://example.com/1</loc></url>'.repeat(100)}</urlset>`;
    const limited = await parse(many, { maxEntries: 10 });
    assert.equal(limited.entries.length, 10);
    assert.equal(limited.problem, 'LINK_LIMIT');
    assert.equal((await parse(many, { maxBytes: 1000 })).problem, 'TOO_LARGE');
  });

  test('entries come while the rest is still unread', async () => {
    const long = `<urlset>${'<url><loc>https://example.com/1</loc></url>'.repeat(20_000)}</urlset>`;
    const reading = readSitemap(Buffer.from(long), HOME);
    assert.equal((await reading.next()).done, false);
    const end = await reading.return({ kind: 'urlset', count: 1 });
    assert.equal(end.done, true);
  });

  const monsters: [string, string][] = [
    ['deep nesting', `<urlset>${'<a>'.repeat(200_000)}`],
    ['deep nesting that is closed', `<urlset>${'<a>'.repeat(100_000)}${'</b>'.repeat(100_000)}`],
    ['tags that never end', '<urlset '.repeat(100_000)],
    ['quotes that never end', '<a b="'.repeat(100_000)],
    ['one endless tag', `<urlset ${'x'.repeat(1_000_000)}`],
    ['many attributes', `<urlset ${'a="b" '.repeat(100_000)}>`],
    ['a comment that never ends', `<urlset><!--${'-'.repeat(1_000_000)}`],
    ['many comments', `<urlset>${'<!--'.repeat(200_000)}`],
    ['many CDATA starts', `<urlset>${'<![CDATA['.repeat(100_000)}`],
    ['many DOCTYPE starts', '<!DOCTYPE ['.repeat(100_000)],
    ['only ampersands', `<urlset>${'&'.repeat(1_000_000)}`],
    ['only opening brackets', '<'.repeat(1_000_000)],
    ['spaces in a tag', `<urlset ${' '.repeat(500_000)}a${' '.repeat(500_000)}`],
    ['url elements never closed', `<urlset>${'<url>'.repeat(100_000)}`],
    ['namespaces', `<urlset>${'<a xmlns:b="c">'.repeat(50_000)}`],
  ];
  for (const [name, text] of monsters)
    test(`${name}: linear time`, async () => {
      const result = await parse(text, { timeoutMs: 30_000 });
      assert.notEqual(result.problem, 'PARSE_TIMEOUT');
      assert.equal(result.entries.length, 0);
    });

  test('whatever happens to the bytes, it ends and does not reject', async () => {
    const source = Buffer.from(SITEMAP);
    const edit = fc.record({
      at: fc.nat(source.length - 1),
      cut: fc.nat(20),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc.constantFrom('<', '>', '&', '"', '</', '<!', ']]>').map((text) => Buffer.from(text)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), fc.boolean(), async (edits, zip) => {
        let bytes: Buffer = source;
        for (const { at, cut, put } of edits)
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(Math.min(bytes.length, at + cut))]);
        if (zip) bytes = gzipSync(bytes).subarray(0, -edits[0]!.cut || undefined);
        const { entries } = await parse(bytes);
        for (const entry of entries) assert.match(entry.url, /^https?:\/\//);
      }),
      { numRuns: 300 },
    );
  });

  test('the same entries come out wherever the text is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(70_000), async (padding) => {
        const text = `${SITEMAP.replace('<urlset', `<!--${'x'.repeat(padding)}--><urlset`)}`;
        assert.equal((await urls(text)).length, 2);
      }),
      { numRuns: 30 },
    );
  });
});
