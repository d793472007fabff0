import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from './dom.ts';
import { readHead } from './page-head.ts';
import { readTitle } from './title.ts';

const title = (html: string, url = 'https://www.example.com/a'): string => readTitle(readHead(parseHtml(html)), url);

const CASES: [html: string, expected: string][] = [
  ['<title>Tides explained - Example</title>', 'Tides explained'],
  ['<title>Example: Tides explained</title>', 'Example: Tides explained'],
  [
    '<meta property="og:site_name" content="The Daily Tide"><title>Why tides rise | The Daily Tide</title>',
    'Why tides rise',
  ],
  [
    '<meta property="og:title" content="From the graph"><title>From the title</title><h1>From the heading</h1>',
    'From the graph',
  ],
  ['<title>Dough too sticky - Baking Board</title><h1>Baking Board</h1>', 'Dough too sticky'],
  ['<title>Dough - how to - Baking Board</title><h1>Dough</h1>', 'Dough'],
  ['<title>Rise - and fall of tides</title>', 'Rise - and fall of tides'],
  ['<title></title><h1>Only a <em>heading</em></h1>', 'Only a heading'],
  ['<svg><title>icon</title></svg><h2>Second level</h2>', 'Second level'],
  ['<p>nothing</p>', ''],
];
for (const [html, expected] of CASES) test(`title of ${html}`, () => assert.equal(title(html), expected));
