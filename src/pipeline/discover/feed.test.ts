import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../../errors.ts';
import { parseFeed } from './feed.ts';

const parse = (text: string, limits = {}) => parseFeed(Buffer.from(text), 'https://example.com/feed.xml', limits);
const item = async (inner: string, head = '') =>
  (await parse(`<rss version="2.0" ${head}><channel><title>C</title><item>${inner}</item></channel></rss>`))
    .entries[0]!;
const entry = async (inner: string, head = '') =>
  (await parse(`<feed xmlns="http://www.w3.org/2005/Atom" ${head}><title>F</title><entry>${inner}</entry></feed>`))
    .entries[0]!;

describe('RSS', () => {
  test('2.0 with the usual modules under unusual prefixes', async () => {
    const feed = await parse(`<?xml version="1.0"?>
      <rss version="2.0" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
      <channel><title>News &amp;amp; more</title><link>https://example.com/</link><atom:link rel="self" href="https://example.com/feed.xml"/>
      <description>All of it</description><language>en-gb</language><image><title>Logo</title><url>https://example.com/l.png</url></image>
      <item><title>One &lt;b&gt;bold&lt;/b&gt;</title><link>/one</link><guid isPermaLink="false">id-1</guid><d:creator>Ann</d:creator>
      <pubDate>Tue, 07 May 2024 10:00:00 +0200</pubDate><description>&lt;p&gt;Short&lt;/p&gt;</description>
      <c:encoded><![CDATA[<p>Long &amp; full</p>]]></c:encoded><category>x</category><category>y</category></item></channel></rss>`);
    assert.deepEqual(feed, {
      kind: 'rss',
      title: 'News & more',
      url: 'https://example.com/',
      description: 'All of it',
      language: 'en-gb',
      entries: [
        {
          title: 'One bold',
          id: 'id-1',
          url: 'https://example.com/one',
          published: '2024-05-07T08:00:00.000Z',
          author: 'Ann',
          summary: '<p>Short</p>',
          content: '<p>Long &amp; full</p>',
          categories: ['x', 'y'],
        },
      ],
    });
  });

  test('1.0', async () => {
    const feed =
      await parse(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://example.com/"><title>C</title><link>https://example.com/</link><items><rdf:Seq><rdf:li resource="https://example.com/1"/></rdf:Seq></items></channel>
      <image><title>no</title><link>https://example.com/no</link></image>
      <item rdf:about="https://example.com/1"><title>One</title><dc:date>2024-05-07</dc:date></item></rdf:RDF>`);
    assert.equal(feed.title, 'C');
    assert.equal(feed.url, 'https://example.com/');
    assert.deepEqual(feed.entries, [
      {
        title: 'One',
        id: 'https://example.com/1',
        url: 'https://example.com/1',
        published: '2024-05-07T00:00:00.000Z',
        categories: [],
      },
    ]);
  });

  test('the link may be a guid, an Atom link, or hidden behind a counter', async () => {
    assert.equal((await item('<guid>https://example.com/g</guid>')).url, 'https://example.com/g');
    assert.equal((await item('<guid isPermaLink="false">https://example.com/g</guid>')).url, 'https://example.com/g');
    assert.equal((await item('<guid isPermaLink="false">7bd2</guid>')).url, undefined);
    const atom = '<atom:link rel="self" href="/self"/><atom:link href="/page"/>';
    assert.equal((await item(atom, 'xmlns:atom="http://www.w3.org/2005/Atom"')).url, 'https://example.com/page');
    const counted =
      '<link>https://count.example.net/1</link><feedburner:origLink>https://example.com/real</feedburner:origLink>';
    assert.equal((await item(counted)).url, 'https://example.com/real');
  });

  test('authors, with and without address', async () => {
    assert.equal((await item('<author>ann@example.com (Ann Example)</author>')).author, 'Ann Example');
    assert.equal(
      (await item('<author>ann@example.com</author><dc:creator>Bob</dc:creator>')).author,
      'ann@example.com',
    );
  });

  test('markup that was not escaped is kept', async () => {
    const text =
      '<title>A <b>bold</b> title</title><description>Text with <a href="/x?a=1&amp;b=2">a link</a><br/> &amp; more</description>';
    const { title, summary } = await item(text);
    assert.equal(title, 'A bold title');
    assert.equal(summary, 'Text with <a href="/x?a=1&amp;b=2">a link</a><br> & more');
  });

  test('items that are not closed, undeclared prefixes, HTML entities', async () => {
    const feed = await parse(
      '<rss><channel><item><title>Caf&eacute; &mdash; 1</title><dc:creator>Ann<item><title>2</title><link>/2</item></channel>',
    );
    assert.deepEqual(
      feed.entries.map(({ title, author, url }) => [title, author, url]),
      [
        ['Caf\u00e9 \u2014 1', 'Ann', undefined],
        ['2', undefined, 'https://example.com/2'],
      ],
    );
  });
});

describe('Atom', () => {
  test('1.0 with all three kinds of text', async () => {
    const one = await entry(`<title type="html">A &lt;i&gt;b&lt;/i&gt; &amp;amp; c</title><id>urn:1</id>
      <link rel="edit" href="/edit"/><link rel="alternate" type="application/json" href="/json"/><link href="/page" type="text/html"/>
      <author><name>Ann</name><email>ann@example.com</email></author><author><name>Bob</name></author>
      <published>2024-05-07T10:00:00Z</published><updated>2024-05-08T10:00:00.25Z</updated>
      <summary>1 &lt; 2</summary><category term="t"/>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>x &lt; y <img src="a.png"/></p></div></content>
      <source><title>Other</title><id>urn:other</id><link href="/other"/></source>`);
    assert.deepEqual(one, {
      title: 'A b & c',
      id: 'urn:1',
      url: 'https://example.com/page',
      published: '2024-05-07T10:00:00.000Z',
      updated: '2024-05-08T10:00:00.250Z',
      author: 'Ann, Bob',
      summary: '1 &lt; 2',
      content: '<div><p>x &lt; y <img src="a.png"></p></div>',
      categories: ['t'],
    });
  });

  test('plain titles keep their angle brackets', async () => {
    assert.equal((await entry('<title>Use &lt;b&gt; &amp;amp;</title>')).title, 'Use <b> &amp;');
  });

  test('0.3', async () => {
    const feed =
      await parse(`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>F</title><tagline>T</tagline><entry><title>E</title>
      <link rel="alternate" type="text/html" href="/e"/><issued>2004-01-02T03:04:05Z</issued><modified>2004-02-02T03:04:05Z</modified>
      <content type="text/html" mode="escaped">&lt;p&gt;x&lt;/p&gt;</content></entry></feed>`);
    assert.equal(feed.kind, 'atom');
    assert.equal(feed.description, 'T');
    const { url, published, updated, content } = feed.entries[0]!;
    assert.deepEqual(
      [url, published, updated, content],
      ['https://example.com/e', '2004-01-02T03:04:05.000Z', '2004-02-02T03:04:05.000Z', '<p>x</p>'],
    );
  });

  test('xml:base', async () => {
    const one = await entry('<link xml:base="deep/" href="page"/>', 'xml:base="https://other.example/root/"');
    assert.equal(one.url, 'https://other.example/root/deep/page');
  });

  test('prefixed', async () => {
    const feed = await parse(
      '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>F</a:title><a:entry><a:title>E</a:title><a:link href="/e"/></a:entry></a:feed>',
    );
    assert.equal(feed.title, 'F');
    assert.equal(feed.entries[0]?.url, 'https://example.com/e');
  });
});

test('JSON Feed', async () => {
  const feed = await parse(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      home_page_url: 'https://example.com/',
      items: [
        {
          id: 7,
          url: '/7',
          title: 'Seven',
          content_text: 'a < b',
          date_published: '2024-05-07T10:00:00Z',
          authors: [{ name: 'Ann' }],
        },
        'broken',
      ],
    }),
  );
  assert.deepEqual(feed.entries, [
    {
      title: 'Seven',
      id: '7',
      url: 'https://example.com/7',
      published: '2024-05-07T10:00:00.000Z',
      author: 'Ann',
      content: 'a &lt; b',
      categories: [],
    },
  ]);
});

describe('limits', () => {
  test('what is no feed says so', async () => {
    for (const text of ['', 'hello', '<html><body></body></html>', '{"a":1}', '<urlset/>'])
      await assert.rejects(parse(text), (error) => error instanceof AppError && error.code === 'PARSE_FAILED');
  });

  test('entries are counted', async () => {
    const feed = await parse(`<rss><channel>${'<item><title>x</title></item>'.repeat(50)}</channel></rss>`, {
      maxEntries: 10,
    });
    assert.equal(feed.entries.length, 10);
    assert.equal(feed.problem, 'LINK_LIMIT');
  });

  test('mutated feeds end in a feed or in a known error', async () => {
    const source = `<rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>C</title><item><title>T &lt;b&gt;</title><link>https://example.com/1</link><dc:date>2024-05-07</dc:date><description><![CDATA[<p>x</p>]]></description></item></channel></rss>`;
    const edit = fc.tuple(
      fc.nat(source.length),
      fc.nat(15),
      fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('<', '<item>', '</', '"', '&', '<content type="xhtml">')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
        let text = source;
        for (const [at, cut, put] of edits) text = text.slice(0, at) + put + text.slice(at + cut);
        try {
          assert.ok(Array.isArray((await parse(text)).entries));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});
