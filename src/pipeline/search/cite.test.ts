import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citeLink } from './cite.ts';
import { createHighlighter } from './highlight.ts';

const query = (...words: string[]) => ({ words, phrases: [], prefixes: [], excluded: [] });
const link = (content: string, ...words: string[]) =>
  citeLink('https://example.com/a', content, createHighlighter(query(...words))(content));

test('quotes a short passage whole, escaping what a text directive reads as syntax', () => {
  assert.equal(
    link('First one. A well-known, old & tried idea. Last one.', 'idea'),
    'https://example.com/a#:~:text=A%20well%2Dknown%2C%20old%20%26%20tried%20idea.',
  );
});

test('quotes the ends of a long passage', () => {
  const long = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen';
  assert.equal(
    link(long, 'seven'),
    'https://example.com/a#:~:text=one%20two%20three%20four%20five%20six,ten%20eleven%20twelve%20thirteen%20fourteen%20fifteen',
  );
});

test('leaves Markdown out and keeps a fragment the address has', () => {
  const content = '## Setup\n\nRun **the** [installer](https://example.com/x) `now`.';
  assert.equal(
    citeLink('https://example.com/a#top', content, createHighlighter(query('installer'))(content)),
    'https://example.com/a#top:~:text=Run%20the%20installer%20now.',
  );
});

test('quotes a row of a table from its first cell to its last', () => {
  assert.equal(
    link('| part | value |\n| --- | --- |\n| foghorn \\| horn | 2.5 bar |', 'foghorn'),
    'https://example.com/a#:~:text=foghorn%20%7C%20horn,2.5%20bar',
  );
});

test('falls back to the first sentence, and to the bare address where nothing can be quoted', () => {
  assert.equal(link('Hello there. More.', 'absent'), 'https://example.com/a#:~:text=Hello%20there.');
  assert.equal(citeLink('upload:notes', 'Hello there.', []), 'upload:notes');
  assert.equal(link('', 'x'), 'https://example.com/a');
});
