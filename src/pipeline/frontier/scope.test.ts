import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankOf } from './rank.ts';
import { createScope, inScope } from './scope.ts';

const place = (url: string, domain = 'site.test') => ({ url, host: new URL(url).host, domain });
const seed = place('https://www.site.test/docs/start');

test('a crawl stays where its scope says', () => {
  const near = place('https://www.site.test/docs/next');
  const above = place('https://www.site.test/blog/');
  const beside = place('https://shop.site.test/docs/next');
  const far = place('https://other.test/docs/next', 'other.test');
  const kept = (scope: 'domain' | 'host' | 'path' | 'any') =>
    [near, above, beside, far].map((link) => inScope(createScope([seed], { scope }), link));
  assert.deepEqual(kept('path'), [true, false, false, false]);
  assert.deepEqual(kept('host'), [true, true, false, false]);
  assert.deepEqual(kept('domain'), [true, true, true, false]);
  assert.deepEqual(kept('any'), [true, true, true, true]);
});

test('patterns narrow it', () => {
  const scope = createScope([seed], { include_patterns: ['/docs/*'], exclude_patterns: ['*draft*'] });
  assert.equal(inScope(scope, place('https://www.site.test/docs/a/b')), true);
  assert.equal(inScope(scope, place('https://www.site.test/blog/a')), false);
  assert.equal(inScope(scope, place('https://www.site.test/docs/draft-1')), false);
});

test('the strategy is the order of ranks', () => {
  assert.ok(rankOf('bfs', 1, 0) < rankOf('bfs', 2, 1));
  assert.ok(rankOf('dfs', 3, 0, 1) < rankOf('dfs', 2, 0, 9));
  assert.ok(rankOf('dfs', 2, 0, 9) < rankOf('dfs', 2, 0, 1));
  assert.ok(rankOf('best_first', 9, 0.9) < rankOf('best_first', 0, 0.2));
});
