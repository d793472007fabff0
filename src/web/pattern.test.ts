import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePattern } from './pattern.ts';

const URL = 'https://www.example.com/Blog/2024/post.html?id=1';
const CASES: [string, boolean][] = [
  ['', true],
  ['*', true],
  ['/blog/*', true],
  ['/blog', true],
  ['/news/*', false],
  ['/news/*|/blog/*', true],
  ['*/2024/*', true],
  ['www.example.com/*', true],
  ['example.com/*', false],
  ['*.html', false],
  ['*.html?id=*', true],
  ['https://www.example.com/*', true],
  ['http://*', false],
  ['post', true],
  ['/blog/20??/*', true],
  ['.*', false],
  ['(', false],
];

for (const [pattern, expected] of CASES)
  test(`${JSON.stringify(pattern)} ${expected ? 'takes' : 'leaves'} it`, () =>
    assert.equal(compilePattern(pattern)(URL), expected));

test('a pattern made to backtrack ends', () => {
  assert.equal(compilePattern(`${'*a'.repeat(500)}b`)(`https://e.com/${'a'.repeat(2000)}`), false);
});
