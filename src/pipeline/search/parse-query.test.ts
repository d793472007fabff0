import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../errors.ts';
import { parseQuery } from './parse-query.ts';

const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected;

test('takes words, phrases, prefixes and exclusions apart', () => {
  const query = parseQuery('  fast   “heat transfer” thermo* -laminar -"boundary layer" foo_bar() ');
  assert.deepEqual(query.text, {
    words: ['fast', 'foo_bar()'],
    phrases: [['heat', 'transfer']],
    prefixes: ['thermo'],
    excluded: [['laminar'], ['boundary', 'layer']],
  });
  assert.equal(query.meaning, 'fast heat transfer thermo foo_bar()');
  assert.equal(query.strict, true);
});

test('a minus inside a word, alone or before a digit is text', () => {
  const query = parseQuery('well-known - IL-6 -174G *');
  assert.deepEqual(query.text.words, ['well-known', 'IL-6', '-174G']);
  assert.equal(query.strict, false);
});

test('a long question is prose', () => {
  const query = parseQuery(`what does the word "threshold" mean ${'for the flow '.repeat(5)} -dash`);
  assert.equal(query.strict, false);
  assert.ok(query.text.words.includes('"threshold"'));
});

test('refuses what names nothing and what is too long', () => {
  for (const empty of ['', '   ', '!!!', '-only', '""']) assert.throws(() => parseQuery(empty), code('QUERY_EMPTY'));
  assert.throws(() => parseQuery('a'.repeat(1_001)), code('QUERY_TOO_LONG'));
  assert.equal(parseQuery('a'.repeat(1_000)).text.words.length, 1);
});
