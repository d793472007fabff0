import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { parseHtml } from './parse-html.ts';

interface Any {
  type: string;
  name?: string;
  data?: string;
  attribs?: Record<string, string>;
  children?: Any[];
}

/** A tree as nested arrays: comments and declarations left out, neighbouring texts joined. */
function shape(node: Any): unknown[] {
  const out: unknown[] = [];
  for (const child of node.children ?? []) {
    if (child.type === 'comment' || child.type === 'directive') continue;
    if (child.type !== 'text') out.push([child.name, child.attribs, shape(child)]);
    else if (typeof out.at(-1) === 'string') out.push(`${out.pop() as string}${child.data}`);
    else out.push(child.data);
  }
  return out;
}

const same = (html: string) =>
  assert.deepEqual(shape(parseHtml(html) as Any), shape(parseDocument(html) as unknown as Any), html);

const PAGES = [
  '',
  'plain < text & more',
  '<!doctype html><html><head><title>a &amp; <b>b</title></head><body class="x y" ID=z>text</body></html>',
  '<ul><li>one<li>two<ul><li>deep</ul><li>three</ul>',
  '<p>one<p>two<div>three</div></p>four',
  '<table><tr><td>1<td>2<tr><th>3</table>',
  '<script>if (a < b && c > d) { "</p>" }</script><style>p > a { }</style>after',
  '<textarea><p>&lt;</textarea><!-- <p>gone</p> -->x<!---->y<!-->z',
  '<a href=a/b?c=d&amp;e>x<a href="q" disabled data-x>y</a>',
  '<br/><img src=x/>t</br></p>',
  '<svg viewBox="0 0 1 1"><path d="M0"/><g/></svg><p>after',
  '<dl><dt>a<dd>b<dt>c</dl><select><option>1<option>2</select>',
  '<form><form>x</form>y</form>',
  '<h1>a<h2>b</h2>',
  '</div>stray</span><b>bold<i>both</b>after',
  '<div a="1" a="2" B=3>x</div>',
  '<p>unfinished <a href="x',
];

test('the tree is the one htmlparser2 makes', () => {
  for (const html of PAGES) same(html);
});

test('the same tree for any mixture of tags, texts and broken marks', () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<div class="a b">',
    '</div>',
    '<li>',
    '</li>',
    '<ul>',
    '</ul>',
    '<td>',
    '<tr>',
    '<table>',
    '</table>',
    '<b>',
    '</b>',
    '<a href="/x?y=1&amp;z">',
    '</a>',
    '<br>',
    "<img alt='q\"q' src=x>",
    '<h2>',
    '</h2>',
    '<!-- c -->',
    '&amp;',
    '&lt;p&gt;',
    ' text ',
    'é 漢',
    '<span\n data-a = "1">',
    '</span >',
    '<input disabled>',
    '<option>',
    '<script>var a = "<p>";</script>',
    '<title>t &amp; t</title>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => same(pieces.join(''))),
    { numRuns: 500 },
  );
});

test('nesting is bounded, and no text is lost', () => {
  const html = `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}after`;
  const texts: string[] = [];
  let deepest = 0;
  const walk = (node: Any, depth: number) => {
    deepest = Math.max(deepest, depth);
    if (node.type === 'text') texts.push(node.data!);
    for (const child of node.children ?? []) walk(child, depth + 1);
  };
  walk(parseHtml(html) as Any, 0);
  assert.ok(deepest < 300);
  assert.deepEqual(texts.join(''), 'deepafter');
});

test('any string gives a tree', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...'<>/!-="\' ap&;['), maxLength: 300 }),
      (one, two) => {
        parseHtml(one + two);
      },
    ),
    { numRuns: 500 },
  );
});
