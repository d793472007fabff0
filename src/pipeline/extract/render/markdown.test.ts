import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildBoxes } from '../content/box.ts';
import { parseHtml } from '../dom.ts';
import { createResolver } from '../links.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './text.ts';

const resolve = createResolver('https://example.com/a/', undefined);
const markdown = (html: string): string => renderMarkdown(buildBoxes(parseHtml(html)), resolve);

const CASES: [name: string, html: string, expected: string][] = [
  ['headings', '<h1>One</h1><h3>Three <em>x</em></h3>', '# One\n\n### Three *x*'],
  ['marks stand tight', '<p>a<b> bold </b>b <i></i><del>old</del></p>', 'a **bold** b ~~old~~'],
  [
    'links and images',
    '<p><a href="b?c=(1)">to <b>b</b></a> <img src="/i.png" alt="A [b]"></p>',
    '[to **b**](https://example.com/a/b?c=%281%29) ![A \\[b\\]](https://example.com/i.png)',
  ],
  ['links that lead nowhere', '<p><a href="javascript:x">text</a> <a>anchor</a></p>', 'text anchor'],
  [
    'ordered and nested',
    '<ol start="3"><li>c<ul><li>d</li><li>e</li></ul></li><li>f</li></ol>',
    '3. c\n   - d\n   - e\n4. f',
  ],
  ['paragraphs in an item', '<ul><li><p>a</p><p>b</p></li><li>c</li></ul>', '- a\n\n  b\n- c'],
  ['quote in an item', '<ul><li>a<blockquote>q</blockquote></li></ul>', '- a\n\n  > q'],
  ['quote with a list', '<blockquote><p>a</p><ul><li>b</li></ul></blockquote><p>c</p>', '> a\n> - b\n\nc'],
  ['line breaks', '<p>a<br>b<br/><br/>c</p>', 'a\nb\nc'],
  ['code', '<p>x <code>a`b</code></p>', 'x ``a`b``'],
  ['a fence longer than what it holds', '<pre class="lang-md">```\nx\n```</pre>', '````md\n```\nx\n```\n````'],
  [
    'code by lines',
    '<div class="highlight-source-python"><pre><div>a</div><div>b</div></pre></div>',
    '```python\na\nb\n```',
  ],
  [
    'a table',
    '<table><caption>T</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><p>x|y</p></td></tr><tr><td>2</td></tr></table>',
    'T\n\n| a | b |\n| --- | --- |\n| 1 | x\\|y |\n| 2 |  |',
  ],
  ['a table that lays out', '<table><tr><td><p>a</p><ul><li>b</li></ul></td><td>c</td></tr></table>', 'a\n\n- b\n\nc'],
  [
    'escapes',
    '<p># no heading</p><p>1. no list</p><p>- no item</p><p>a*b_c _d_ &lt;div&gt; &amp;amp;</p>',
    '\\# no heading\n\n1\\. no list\n\n\\- no item\n\na\\*b_c \\_d\\_ \\<div> \\&amp;',
  ],
  ['rule', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
  ['a link around blocks', '<a href="/x"><h3>Card</h3><p>text</p></a>', '[Card text](https://example.com/x)'],
];
for (const [name, html, expected] of CASES) test(name, () => assert.equal(markdown(html), expected));

test('text keeps blocks apart and code as it was', () => {
  const root = buildBoxes(
    parseHtml(
      '<h2>T</h2><p>a <b>b</b><br>c</p><ul><li>x</li><li>y</li></ul><pre>if (1)\n  go()</pre><table><tr><td>1</td><td>2</td></tr></table>',
    ),
  );
  assert.equal(renderText(root), 'T\n\na b\nc\n\nx\ny\n\nif (1)\n  go()\n\n1 2');
});
