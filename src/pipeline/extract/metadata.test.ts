import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateFromUrl, toIsoDate } from './dates.ts';
import { extractPage } from './extract-page.ts';

const PAGE = `<html lang="de-AT"><head><base href="https://cdn.example.org/root/">
<title>Hafen</title><meta name="description" content="  Ein   Text "><meta name="robots" content="noindex, NOFOLLOW">
<meta property="og:site_name" content="Blatt"><meta property="og:image" content="img/a.png"><meta name="keywords" content="a, b; c">
<link rel="canonical" href="/hafen"><link rel="alternate" type="application/rss+xml" href="feed.xml">
<link rel="alternate" hreflang="en" href="/en/harbour">
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"NewsArticle","headline":"Hafen",
"author":[{"@type":"Person","name":"Ada Kern"},{"name":"Jo Lind"}],"datePublished":"2024-03-01T10:00:00+01:00","dateModified":"2024-03-02"},]}</script></head>
<body><h1>Hafen</h1><a href="x.html" rel="nofollow ugc">Ein Link</a><a href="x.html#teil">noch einmal</a><a href="mailto:a@b.c">Post</a>
<a href="javascript:void(0)">Nichts</a><a href="//other.example/y"><img alt="Bild" src="i.png"></a><h2>Teil</h2><p>Der Hafen liegt an der Mündung, und die Schiffe kommen mit der Flut.</p></body></html>`;

const read = () =>
  extractPage({
    url: 'https://example.com/hafen?x=1',
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(PAGE),
  });

test('metadata of a page', async () => {
  const { metadata, language, headings } = await read();
  assert.equal(language, 'de');
  assert.deepEqual(metadata, {
    description: 'Ein Text',
    author: 'Ada Kern, Jo Lind',
    publishedAt: '2024-03-01T09:00:00.000Z',
    modifiedAt: '2024-03-02T00:00:00.000Z',
    canonicalUrl: 'https://cdn.example.org/hafen',
    siteName: 'Blatt',
    image: 'https://cdn.example.org/root/img/a.png',
    keywords: ['a', 'b', 'c'],
    feeds: ['https://cdn.example.org/root/feed.xml'],
    alternates: [{ language: 'en', url: 'https://cdn.example.org/en/harbour' }],
    openGraph: { site_name: 'Blatt', image: 'img/a.png' },
    noindex: true,
    nofollow: true,
    charset: 'utf-8',
  });
  assert.deepEqual(headings, [
    { level: 1, text: 'Hafen' },
    { level: 2, text: 'Teil' },
  ]);
});

test('links go through the base, once each, with rel', async () => {
  assert.deepEqual((await read()).links, [
    { url: 'https://cdn.example.org/root/x.html', text: 'Ein Link', rel: 'nofollow ugc' },
    { url: 'https://other.example/y', text: 'Bild', rel: '' },
  ]);
});

test('dates as pages write them', () => {
  const cases: [string, string | undefined][] = [
    ['2019-11-18', '2019-11-18T00:00:00.000Z'],
    ['2019-11-18T10:30:00-05:00', '2019-11-18T15:30:00.000Z'],
    ['20191118', '2019-11-18T00:00:00.000Z'],
    ['Nov 18, 2019 4:07 PM', '2019-11-18T16:07:00.000Z'],
    ['18 November 2019', '2019-11-18T00:00:00.000Z'],
    ['2019-02-31', undefined],
    ['0001-01-01T00:00:00', undefined],
    ['yesterday', undefined],
  ];
  for (const [written, expected] of cases) assert.equal(toIsoDate(written), expected, written);
  assert.equal(dateFromUrl('https://example.com/2019/11/18/a-story'), '2019-11-18T00:00:00.000Z');
  assert.equal(dateFromUrl('https://example.com/2019/99/18/a-story'), undefined);
});

test('the language of a page that does not say, or says it wrong', async () => {
  const body = (lang: string, text: string) =>
    Buffer.from(`<html${lang}><body><article><p>${text}</p></article></body></html>`);
  const language = async (lang: string, text: string) =>
    (
      await extractPage({
        url: 'https://example.com/',
        contentType: 'text/html; charset=utf-8',
        body: body(lang, text),
      })
    ).language;
  const german =
    'Der Hafen liegt an der Mündung des Flusses, und die Schiffe kommen jeden Tag mit der Flut herein. '.repeat(6);
  const english =
    'The harbour lies at the mouth of the river, and the ships come in with the tide on every day of the year.';
  assert.equal(await language('', german), 'de');
  assert.equal(await language(' lang="en"', german), 'de');
  assert.equal(await language('', english), 'en');
  assert.equal(await language(' lang="en-US"', 'Hi'), 'en');
  assert.equal(await language('', '12345'), 'und');
});
