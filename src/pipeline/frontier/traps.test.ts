import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrapGuard } from './traps.ts';

const LIMITS = { maxPerHost: 50, maxQueryVariants: 5, maxDates: 6, maxNearDuplicates: 3 };
const HOST = 'site.test';
const url = (path: string) => `https://${HOST}${path}`;

function letThrough(paths: readonly string[]): number {
  const guard = new TrapGuard(LIMITS);
  return paths.filter((path) => guard.check('c', url(path), HOST) === undefined).length;
}

const series = (count: number, path: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => path(index));

test('plain pages pass up to the budget of the host', () => {
  assert.equal(letThrough(series(40, (index) => `/page/${index}`)), 40);
  assert.equal(letThrough(series(80, (index) => `/page/${index}`)), LIMITS.maxPerHost);
});

test('a path that repeats itself is refused', () => {
  assert.equal(letThrough(['/a/b/a/b/a/b', '/a/b/c/d/e/f']), 1);
});

test('query variants and calendars end', () => {
  assert.equal(letThrough(series(30, (index) => `/list?sort=${index}`)), LIMITS.maxQueryVariants);
  assert.equal(letThrough(series(30, (index) => `/calendar/${2000 + index}/05`)), LIMITS.maxDates);
});

test('a shape whose pages are all alike is given up, one with pages of its own is not', () => {
  const guard = new TrapGuard(LIMITS);
  for (let index = 0; index < 3; index++) guard.report('c', url(`/print/${index}`), HOST, true);
  assert.match(guard.check('c', url('/print/99'), HOST) ?? '', /alike/);
  assert.equal(guard.check('other', url('/print/99'), HOST), undefined);
  for (let index = 0; index < 9; index++) guard.report('c', url(`/item/${index}`), HOST, index % 3 === 0);
  assert.equal(guard.check('c', url('/item/99'), HOST), undefined);
});
