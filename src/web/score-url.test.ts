import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { classifyUrl, scoreUrl, type UrlKind } from './score-url.ts';

const CASES: [string, number, UrlKind][] = [
  ['/', 4, 'homepage'],
  ['', 4, 'homepage'],
  ['/index.html', 4, 'homepage'],
  ['/?id=7', 4, 'other'],
  ['/products', 1, 'shallow'],
  ['/a/b/c/d', 2, 'shallow'],
  ['/blog/how-to-bake', 3, 'content'],
  ['/about', 4, 'content'],
  ['/2024/05/launch', 3, 'content'],
  ['/x/some-long-slug-here.html', 4, 'content'],
  ['/x/17', 4, 'other'],
  ['/blog/page/2', 1, 'pagination'],
  ['/list?page=3', 1, 'pagination'],
  ['/list?a=b&sort=asc', 1, 'pagination'],
  ['/tag/food', 1, 'pagination'],
  ['/2024/05/', 2, 'pagination'],
  ['/blog/post', 6, 'deep'],
  ['/a/b/c/d/e/f/g/h', 1, 'deep'],
];

for (const [path, depth, kind] of CASES)
  test(`${path || '(root)'} at depth ${depth} is ${kind}`, () =>
    assert.equal(classifyUrl(`https://example.com${path}`, depth, false), kind));

test('a seed is first whatever it looks like', () => {
  assert.equal(scoreUrl('https://example.com/list?page=9', 9, true), 1);
});

test('kinds never overlap: the worst of one beats the best of the next', () => {
  const best = (path: string, depth: number) => scoreUrl(`https://example.com${path}`, depth, false);
  assert.ok(best('/', 9) > best('/a', 1));
  assert.ok(best('/a/b/c/d/e/f/g', 2) > best('/about', 3));
  assert.ok(best('/blog/a/b/c/d/e/f', 3) > best('/x', 3));
  assert.ok(best('/x/a/b/c/d/e/1', 3) > best('/tag', 1));
  assert.ok(best('/a/b/c/d/e/f/g/tag', 1) > best('/x', 6));
});

test('scores stay within 0 and 1', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.nat(20), (url, depth) => {
      const score = scoreUrl(url, depth, false);
      assert.ok(score >= 0 && score <= 1);
    }),
  );
});
