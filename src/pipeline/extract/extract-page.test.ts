import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractPage } from './extract-page.ts';

const page = (html: string, url = 'https://example.com/a/b') =>
  extractPage({ url, contentType: 'text/html; charset=utf-8', body: Buffer.from(html) });

const ARTICLE = `<html lang="en"><title>Tides - Example</title><body>
<nav><a href="/x">Home</a> <a href="/y">News</a></nav>
<article><h1>Tides</h1>
<p>The <b>sea</b> rises twice a day, and <a href="../moon?p=1#top">the moon</a> is why, as sailors have known for long.</p>
<ul><li>high<ul><li>spring</li></ul></li><li><p>low</p><p>neap</p></li></ul>
<pre><code class="language-js">let a = 1;
go(a)</code></pre>
<table><tr><th>a<th>b<tr><td>1<td>2|3</table>
<blockquote><p>one</p><p>two</p></blockquote></article>
<footer>Copyright Example</footer>`;

test('an article becomes Markdown without the page around it', async () => {
  const { markdown, title, language } = await page(ARTICLE);
  assert.equal(title, 'Tides');
  assert.equal(language, 'en');
  assert.equal(
    markdown,
    `# Tides

The **sea** rises twice a day, and [the moon](https://example.com/moon?p=1#top) is why, as sailors have known for long.

- high
  - spring
- low

  neap

\`\`\`js
let a = 1;
go(a)
\`\`\`

| a | b |
| --- | --- |
| 1 | 2\\|3 |

> one
>
> two`,
  );
});

test('links are absolute, in order and without fragments', async () => {
  const { links } = await page(ARTICLE);
  assert.deepEqual(
    links.map((link) => [link.url, link.text]),
    [
      ['https://example.com/x', 'Home'],
      ['https://example.com/y', 'News'],
      ['https://example.com/moon?p=1', 'the moon'],
    ],
  );
});

test('a hundred thousand nested elements neither crash nor lose the text', async () => {
  const { text } = await page(`${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}<p>tail</p>`);
  assert.match(text, /deep/);
});
