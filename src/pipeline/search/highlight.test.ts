import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { analyze } from '../../text/analyze.ts';
import { queryTerms } from '../../text/text-terms.ts';
import { createHighlighter } from './highlight.ts';
import { parseQuery } from './parse-query.ts';

const marked = (content: string, query: string) =>
  createHighlighter(parseQuery(query).text)(content).map(([start, end]) => content.slice(start, end));

test('marks words in other forms, identifiers, phrases and prefixes', () => {
  assert.deepEqual(marked('Connections drop; a connection stays.', 'connected'), ['Connections', 'connection']);
  assert.deepEqual(marked('call foo_bar() in v2.4.1', 'foo_bar() v2.4.1'), ['foo_bar', 'v2.4.1']);
  assert.deepEqual(marked('the heat transfer rate', '"heat transfer"'), ['heat transfer']);
  assert.deepEqual(marked('thermodynamics and thermal', 'thermo*'), ['thermodynamics']);
  assert.deepEqual(marked('nothing here', 'absent'), []);
  assert.deepEqual(marked('understanding it', 'understandin*'), ['understanding']);
  assert.deepEqual(marked('新しい検索エンジンとWi-Fi接続', '検索 wi-fi "接続"'), ['検索', 'Wi-Fi接続']);
});

test('what is passed over at a glance holds nothing that is looked for', () => {
  const word = fc.constantFrom(
    'dying',
    'Skies',
    'foo_bar',
    'barFoo',
    'Bars',
    'x',
    'Éclair',
    'eclairs',
    'v2.4.1',
    'NEWS',
    'idly',
  );
  fc.assert(
    fc.property(fc.array(word), fc.array(word, { minLength: 1 }), (content, words) => {
      const query = { words, phrases: [], prefixes: [], excluded: [] };
      const wanted = new Set(queryTerms(words).keys());
      const found = createHighlighter(query)(content.join(', ')).length;
      assert.equal(found, content.filter((piece) => analyze(piece).some((term) => wanted.has(term))).length);
    }),
  );
});

test('ranges are in order, inside the text and never overlap', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (content, words) => {
      const text = { words: words.split(' '), phrases: [], prefixes: [], excluded: [] };
      let last = 0;
      for (const [start, end] of createHighlighter(text)(content)) {
        assert.ok(start >= last && end > start && end <= content.length);
        last = end;
      }
    }),
  );
});
