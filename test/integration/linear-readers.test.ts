/** Everything that reads foreign text takes time in proportion to its length, whatever the text is. */
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { diffLines } from '../../src/operations/pages/diff-lines.ts';
import { parseHttpMessage } from '../../src/pipeline/archive/http-message.ts';
import { readWarc } from '../../src/pipeline/archive/read-warc.ts';
import { parseFeed } from '../../src/pipeline/discover/feed.ts';
import { readPageLinks } from '../../src/pipeline/discover/page-links.ts';
import { parseSitemap } from '../../src/pipeline/discover/sitemap.ts';
import { decodeBody } from '../../src/pipeline/extract/charset.ts';
import { chooseFormat } from '../../src/pipeline/extract/content-type.ts';
import { extractPage } from '../../src/pipeline/extract/extract-page.ts';
import { parsePrice } from '../../src/pipeline/extract/product/price.ts';
import { compileSelectors } from '../../src/pipeline/extract/selectors.ts';
import { parseRobots } from '../../src/pipeline/fetch/robots.ts';
import { readRobotsTag } from '../../src/pipeline/fetch/robots-tag.ts';
import { chunkText } from '../../src/pipeline/index/chunk.ts';
import { loadTokenCounter } from '../../src/pipeline/index/tokens.ts';
import { citeLink } from '../../src/pipeline/search/cite.ts';
import { createHighlighter } from '../../src/pipeline/search/highlight.ts';
import { parseQuery } from '../../src/pipeline/search/parse-query.ts';
import { redact } from '../../src/redact.ts';
import { analyze } from '../../src/text/analyze.ts';
import { compilePattern } from '../../src/web/pattern.ts';
import { parseUrl } from '../../src/web/url.ts';
import { assertLinear } from '../support/growth.ts';

/** What is repeated: marks that open and never close, runs that end otherwise than expected, things inside each other. */
const UNITS = [
  ...['-', '--- ', '---|', '| ', '|-', '=', '#', '# ', '\n# ', '> ', '>', '* ', '*', '*a ', '**a ', '_a ', '__', '~~'],
  ...['`', '` ', '```\n', '~~~\n```\n', '[', ']', '[a](', '[]', '![', '![](', '[a]( ', '[![', '(', ')', '()'],
  ...['<', '<a ', '<a b="', '<!--', '<![CDATA[', '<!', '<?', '</', '</a>', '<p>', '<div>', '<b><i>', '<a href="x">'],
  ...['<table><tr><td>', '<ul><li>', '<h1>x', '<h1>', '<script>', '<style>', '<title>', '<svg>', '<form>', '<select>'],
  ...['<span class="price">1 €</span>', '<meta name="a" content="b">', '<p>word word word</p>', '<dl><dt>a<dd>b'],
  ...['&', '&amp', '&amp;', '&#', '&#x', '"', "'", '="', '= ', "a='", ' ', '\t', '\n', '\n\n', ' \n', '\t\n\n', '\r'],
  ...['0', '0.', '1 ', '1,', '.', '..', '. ', ',', '€', '1€', '$ ', ':', ': ', ':a ', ';', ';a=', '{', '[{', '{"a":'],
  ...['"a":"', '{"a":1},', '\\', '\\"', '/', '//', '/a', '/*', '/*/', '../', 'http://', 'a', 'a ', 'ab', 'aA', 'a.'],
  ...[
    'a-',
    'a@',
    "a'",
    'a:',
    '@a ',
    'token',
    '\u200b',
    '\u00ad',
    'é',
    'e\u0301',
    '中',
    '中 ',
    '😀',
    '\ud800',
    '%',
    '%2',
    '%20',
  ],
  ...['?', '?a=b&', '&a=', 'a|', '+', '^', '~', '\0', 'Disallow: /*a*b\n', '- a\n', '1. a\n', '| a | b |\n', '    a\n'],
  ...[
    '<url><loc>https://e.com/</loc></url>',
    '<item><title>',
    '<a:b xmlns:a="c">',
    ' | a',
    ' - ',
    'by a ',
    'a. B',
    'a > ',
  ],
];
const ENDS = ['', '\n!'];

const repeated = (unit: string, end: string, size: number) =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size) + end;

const url = 'https://example.com/a/b?c=d';
const extract = (type: string, wrap: (text: string) => string) => async (text: string) =>
  extractPage({ url, contentType: `${type}; charset=utf-8`, body: Buffer.from(wrap(text)) }).catch(() => undefined);
const html = (before: string, after: string) => extract('text/html', (text) => before + text + after);
const page = '<p>Some words that are here to be read by somebody.</p>';
const attribute = (text: string) => text.replaceAll('"', "'");
const json = (text: string) => JSON.stringify(text.toWellFormed());
const countTokens = await loadTokenCounter();
const words = { words: ['a', 'word'], phrases: [['a', 'b']], prefixes: ['to'], excluded: [] } as never;

const KB = 1024;
const READERS: Record<string, { read: (text: string) => unknown; largest: number }> = {
  'an HTML page': { read: html('', ''), largest: 128 * KB },
  'a title': { read: html('<title>', `</title>${page}`), largest: 128 * KB },
  'a heading': { read: html('<h1>', `</h1>${page}`), largest: 128 * KB },
  'an attribute': {
    read: extract('text/html', (text) => {
      const value = attribute(text);
      return `<a href="${value}" class="${value}" style="${value}">a</a><img src="${value}" alt="${value}">
        <meta property="og:title" content="${value}"><meta name="author" content="${value}">
        <meta name="date" content="${value}"><meta property="product:price:amount" content="${value}">
        <meta property="product:category" content="${value}"><pre class="${value}">x</pre>${page}`;
    }),
    largest: 32 * KB,
  },
  'structured data': {
    read: extract('text/html', (text) => {
      const value = json(text);
      return `<script type="application/ld+json">{"@type":"Product","name":${value},"sku":${value},"category":${value},
        "offers":{"price":${value},"priceCurrency":${value},"availability":${value}},"datePublished":${value}}</script>
        <h1>a</h1><button>Add to cart</button>${page}`;
    }),
    largest: 32 * KB,
  },
  'broken structured data': { read: html('<script type="application/ld+json">', `</script>${page}`), largest: 64 * KB },
  'a script with data': { read: html('<h1>abc</h1><script>x = {sku: 1, a: ', `</script>${page}`), largest: 64 * KB },
  Markdown: { read: extract('text/markdown', (text) => text), largest: 256 * KB },
  'Markdown below a heading': {
    read: extract('text/markdown', (text) => `---\na: ${text}\n---\n# ${text}`),
    largest: 128 * KB,
  },
  'plain text': { read: extract('text/plain', (text) => text), largest: 256 * KB },
  XML: { read: extract('text/xml', (text) => `<a>${text}`), largest: 256 * KB },
  JSON: { read: extract('application/json', (text) => `{"a":${json(text)}}`), largest: 256 * KB },
  'a feed': {
    read: (text) => parseFeed(Buffer.from(`<rss><channel><item>${text}`), url).catch(() => 0),
    largest: 256 * KB,
  },
  'a text in a feed': {
    read: (text) =>
      parseFeed(
        Buffer.from(`<rss><channel><item><author>${text}</author><title>${text}</title><pubDate>${text}`),
        url,
      ).catch(() => 0),
    largest: 128 * KB,
  },
  'a sitemap': { read: (text) => parseSitemap(Buffer.from(`<urlset>${text}`), url), largest: 256 * KB },
  'a compressed sitemap': { read: (text) => parseSitemap(gzipSync(`<urlset>${text}`), url), largest: 256 * KB },
  'links of a page': { read: (text) => readPageLinks(Buffer.from(text), url), largest: 128 * KB },
  'an encoding': { read: (text) => decodeBody(Buffer.from(`<meta ${text}`)), largest: 256 * KB },
  'a content type': {
    read: (text) => {
      decodeBody(Buffer.from(page), text);
      try {
        chooseFormat(Buffer.from(page), text, url);
      } catch {
        // What is no type is refused.
      }
    },
    largest: 64 * KB,
  },
  'robots.txt': {
    read: (text) => parseRobots(`User-agent: *\nDisallow: ${text}`, 'bot').allows('https://e.com/aaaaaaaaaaaaaaaaaab'),
    largest: 256 * KB,
  },
  'an address held against robots.txt': {
    read: (text) => parseRobots('User-agent: *\nDisallow: /*a*b*ab*c$', 'bot').allows(`https://e.com/${text}`),
    largest: 64 * KB,
  },
  'a long rule of robots.txt that almost fits': {
    read: (text) => {
      const half = text.replaceAll(/[^\w]/g, 'a').slice(0, text.length / 2);
      return parseRobots(`User-agent: *\nDisallow: /*${half}-${half}`, 'bot').allows(`https://e.com/${half.repeat(4)}`);
    },
    largest: 16 * KB,
  },
  'X-Robots-Tag': { read: (text) => readRobotsTag(text, 'bot'), largest: 64 * KB },
  'a pattern': {
    read: (text) => {
      const target = `https://e.com/${'a'.repeat(4 * text.length)}`;
      for (const start of ['*', '/*', '*?']) compilePattern(`${start}${text.replaceAll('|', 'a')}b`)(target);
    },
    largest: 64 * KB,
  },
  'an address held against a pattern': {
    read: (text) => compilePattern('*a*aa*a?a*b')(`https://e.com/${text}`),
    largest: 256 * KB,
  },
  'an address': { read: (text) => parseUrl(`https://e.com/${text}?${text}#${text}`), largest: 64 * KB },
  'a selector': { read: (text) => compileSelectors([text]), largest: 16 * KB },
  'a price': { read: (text) => parsePrice(text, text), largest: 64 * KB },
  'a query': { read: (text) => parseQuery(`word ${text.slice(0, 900)}`), largest: KB },
  'a passage': {
    read: (text) => citeLink(url, `a ${text}`, createHighlighter(words)(`a ${text}`)),
    largest: 64 * KB,
  },
  chunks: { read: (text) => chunkText(text, {}, countTokens), largest: 128 * KB },
  'words of a text': { read: (text) => analyze(text), largest: 256 * KB },
  'a change': { read: (text) => diffLines(text, `${text}b`), largest: 64 * KB },
  'a record of an archive': {
    read: async (text) => {
      const bytes = Buffer.from(`WARC/1.0\r\n${text}`);
      const pieces = (async function* () {
        for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
      })();
      const record = readWarc(pieces, { types: ['response'], maxBlock: 256 * KB }).next();
      await record.catch(() => 0);
    },
    largest: 256 * KB,
  },
  'a response of an archive': {
    read: async (text) => {
      const body = Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text}`);
      const head = Buffer.from(`HTTP/1.1 200 OK\r\n${text}\r\n\r\n`);
      for (const block of [body, head]) await parseHttpMessage(block, 256 * KB).catch(() => 0);
    },
    largest: 256 * KB,
  },
  'a line of the log': { read: (text) => redact({ text, [text.slice(0, 2_000)]: 1 }), largest: 64 * KB },
};

for (const [name, { read, largest }] of Object.entries(READERS))
  test(`${name} is read in linear time`, async () => {
    for (const unit of UNITS)
      for (const end of ENDS)
        await assertLinear(
          `${name} of ${JSON.stringify(unit)} before ${JSON.stringify(end)}`,
          (size) => read(repeated(unit, end, size)),
          largest,
        );
  });
