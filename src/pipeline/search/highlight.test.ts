import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { highlight } from './highlight.ts';
import { parseQuery } from './parse-query.ts';

const marked = (content: string, query: string) =>
  highlight(content, parseQuery(query).text).map(([start, end]) => content.slice(start, end));

test('marks words in other forms, identifiers, phrases and prefixes', () => {
  assert.deepEqual(marked('Connections drop; a connection stays.', 'connected'), ['Connections', 'connection']);
  assert.deepEqual(marked('call foo_bar() in v2.4.1', 'foo_bar() v2.4.1'), ['foo_bar', 'v2.4.1']);
  assert.deepEqual(marked('the heat transfer rate', '"heat transfer"'), ['heat transfer']);
  assert.deepEqual(marked('thermodynamics and thermal', 'thermo*'), ['thermodynamics']);
  assert.deepEqual(marked('nothing here', 'absent'), []);
  assert.deepEqual(marked('understanding it', 'understandin*'), ['understanding']);
  assert.deepEqual(marked('新しい検索エンジンとWi-Fi接続', '検索 wi-fi "接続"'), ['検索', 'Wi-Fi接続']);
});

test('ranges are in order, inside the text and never overlap', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), (content, words) => {
      const text = { words: words.split(' '), phrases: [], prefixes: [], excluded: [] };
      let last = 0;
      for (const [start, end] of highlight(content, text)) {
        assert.ok(start >= last && end > start && end <= content.length);
        last = end;
      }
    }),
  );
});
