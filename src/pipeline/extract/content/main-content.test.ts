import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { extractPage } from '../extract-page.ts';
import type { PageKind } from '../types.ts';

interface Case {
  kind: PageKind;
  url: string;
  has: string[];
  lacks: string[];
}

const CASES: Case[] = [
  {
    kind: 'forum',
    url: 'https://forum.example.com/threads/chain-slips.991/',
    has: [
      'I swapped the worn eleven-speed',
      'Measure it. Anything past 0.5',
      'This. Mine did the same',
      'Chain slips under load',
    ],
    lacks: [
      'Joined',
      'Well-known member',
      'Steel is real',
      'Similar threads',
      'Noisy freehub',
      'members and 320 guests',
      'Register',
      'XenForo',
    ],
  },
  {
    kind: 'documentation',
    url: 'https://ferry.example.com/docs/retry',
    has: [
      'Retry policies',
      'A policy decides',
      "maxDelay: '30s'",
      'Share of the wait that is random',
      'Dead letters',
      'needs a new declaration',
    ],
    lacks: ['Skip to main', 'Introduction', 'On this page', 'Edit this page', 'Previous', 'Discord', 'GitHub'],
  },
  {
    kind: 'collection',
    url: 'https://shop.example.com/collections/enamel',
    has: ['Light, tough and made', 'Blue stock pot, 8 litres', '$64.00', 'Rolled steel rim', 'Works on induction'],
    lacks: ['Free shipping', 'Out of stock (2)', 'Sort by', 'Refund policy', 'Add to cart', 'Shop all', 'Powered by'],
  },
  {
    kind: 'listing',
    url: 'https://plainwork.example.com/jobs?q=data',
    has: [
      '102 open positions',
      'Senior data engineer, ingestion',
      'City of Utrecht',
      'Run Kafka and Flink',
      '€62k–€74k',
    ],
    lacks: ['Refine results', 'Americas', 'Companies', 'View job', 'four people in Ghent'],
  },
  {
    kind: 'service',
    url: 'https://harrow.example.com/roof-repair',
    has: [
      'usually within a day',
      'Two vans are kept free',
      'Lead flashing',
      'We hold a heritage card',
      'inside the ring road',
    ],
    lacks: ['cookies', 'New roofs', 'newsletter', 'Privacy policy', 'Canal Mills'],
  },
  {
    kind: 'product',
    url: 'https://fold.example.com/product/walnut-desk-lamp',
    has: ['Walnut desk lamp', '£129.00', 'folding lamp turned', 'The arm holds at any angle', 'LED, 2700 K'],
    lacks: ['Oak wall light', 'Bought two of them', 'Share on', 'Returns within', 'Reviews (2)'],
  },
];

for (const { kind, url, has, lacks } of CASES) {
  test(`a ${kind} page`, async () => {
    const body = await readFile(new URL(`../fixtures/${kind}.html`, import.meta.url));
    const page = await extractPage({ url, contentType: 'text/html; charset=utf-8', body });
    assert.equal(page.kind, kind);
    for (const words of has) assert.ok(page.text.includes(words), `${words} is missing`);
    for (const words of lacks) assert.ok(!page.text.includes(words), `${words} is still there`);
  });
}

const read = (html: string, options = {}) =>
  extractPage(
    { url: 'https://example.com/a', contentType: 'text/html; charset=utf-8', body: Buffer.from(html) },
    options,
  );

const PAGE = `<html lang="en"><body><nav>Menu of things</nav><main><p class="lead">The first paragraph of the page says what it is about, at some length.</p>
<div id="box" data-role="extra"><p>A box in the middle that some would rather do without, and others come for.</p></div></main><footer>Imprint</footer>`;

test('the whole page on request', async () => {
  const { text } = await read(PAGE, { onlyMainContent: false });
  assert.match(text, /Menu of things[\s\S]*first paragraph[\s\S]*Imprint/);
});

test('selectors choose and leave out', async () => {
  assert.equal(
    (await read(PAGE, { includeSelectors: ['#box'] })).text,
    'A box in the middle that some would rather do without, and others come for.',
  );
  assert.doesNotMatch((await read(PAGE, { excludeSelectors: ['main > div[data-role=extra]'] })).text, /A box/);
  assert.match(
    (await read(PAGE, { includeSelectors: ['.none', 'main p.lead, footer'] })).text,
    /^The first paragraph[\s\S]*Imprint$/,
  );
  assert.match((await read(PAGE, { includeSelectors: ['.not-there'] })).text, /first paragraph/);
});

test('a page of nothing but a menu still has text', async () => {
  assert.notEqual((await read('<nav><a href="/a">One</a> <a href="/b">Two</a></nav>')).text, '');
  assert.notEqual((await read('<div style="display:none"><p>Shown by a script</p></div>')).text, '');
});

test('a recipe for cookies is not a cookie banner', async () => {
  const recipe = `<article><h1>Oat cookies</h1><p>These cookies keep for two weeks in a tin, and the dough freezes well for months.</p>
    <p>Beat the butter with the sugar, add the egg, then fold in oats and flour until the dough just holds together.</p></article>`;
  assert.match((await read(recipe)).text, /These cookies keep/);
});
