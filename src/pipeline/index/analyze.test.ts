import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { analyze, analyzePieces } from './analyze.ts';

test('words become stems, whatever case and accents', () => {
  assert.deepEqual(analyze('Connections CONNECTED the Cafés'), ['connect', 'connect', 'the', 'cafe']);
  assert.deepEqual(analyze("Prandtl's well-known don't"), ['prandtl', 'well', 'known', 'don']);
});

test('what is written as one piece is found exactly and by its parts', () => {
  assert.deepEqual(analyze('foo_bar()'), ['foo_bar', 'foo', 'bar']);
  assert.deepEqual(analyze('v2.4.1'), ['v2.4.1', 'v2', '4', '1']);
  assert.deepEqual(analyze('src/main.config.ts'), ['src/main.config.ts', 'src', 'main', 'config', 'ts']);
  assert.deepEqual(analyze('getUserName'), ['getusername', 'get', 'user', 'name']);
  assert.deepEqual(analyze('C++ and C#'), ['c++', 'c', 'and', 'c#', 'c']);
  assert.deepEqual(analyze('ECONNRESET'), ['econnreset']);
});

test('scripts without blanks become pairs of characters', () => {
  assert.deepEqual(analyze('全文検索'), ['全文', '文検', '検索']);
});

test('pieces stand where they are in the text and hold the same terms; no term holds a blank', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const pieces = [...analyzePieces(text)];
      assert.deepEqual(
        pieces.flatMap((piece) => piece.terms),
        analyze(text),
      );
      let last = 0;
      for (const { start, end, terms } of pieces) {
        assert.ok(start >= last && end > start && end <= text.length);
        assert.ok(terms.every((term) => term !== '' && !/\s/.test(term)));
        last = end;
      }
    }),
  );
});
