import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { analyze, analyzePieces, analyzeQueryWord } from './analyze.ts';

test('words become stems, whatever case and accents', () => {
  assert.deepEqual(analyze('Connections CONNECTED the Cafés'), ['connect', 'connect', 'the', 'cafe']);
  assert.deepEqual(analyze("Prandtl's well-known don't"), ['prandtl', 'well', 'known', 'don']);
});

test('what is written as one piece is found exactly and by its parts', () => {
  assert.deepEqual(analyze('foo_bar()'), ['foo_bar', 'foo', 'bar']);
  assert.deepEqual(analyze('v2.4.1'), ['v2.4.1', '2.4.1', '2', '4', '1']);
  assert.deepEqual(analyze('src/main.config.ts'), ['src/main.config.ts', 'src', 'main', 'config', 'ts']);
  assert.deepEqual(analyze('getUserName'), ['getusernam', 'get', 'user', 'name']);
  assert.deepEqual(analyze('C++ and C#'), ['c++', 'c', 'and', 'c#', 'c']);
  assert.deepEqual(analyze('ECONNRESET'), ['econnreset']);
  for (const name of ['SQLite', 'YouTube', 'iPhone'])
    assert.deepEqual(analyze(name.toLowerCase()), [analyze(name)[0]], name);
});

test('a dot in front belongs to a name, one at the end of a sentence does not', () => {
  assert.deepEqual(analyze('.NET (.env) one.Two'), ['.net', 'net', '.env', 'env', 'one.two', 'one', 'two']);
});

test('scripts without spaces become characters and pairs; a query ranks by pairs; other writing between them stays whole', () => {
  assert.deepEqual(analyze('全文検'), ['全', '全文', '文', '文検', '検']);
  assert.deepEqual(analyzeQueryWord('全文検'), ['全文', '文検']);
  assert.deepEqual(analyzeQueryWord('学'), ['学']);
  assert.deepEqual(analyze('Wi-Fi接続'), ['wi', 'fi', '接', '接続', '続']);
});

test('letters that are typed in other ways elsewhere', () => {
  assert.deepEqual(analyze('Straße œuvre Łódź ＡＢＣ'), ['strass', 'oeuvr', 'lodz', 'abc']);
  assert.deepEqual(analyze('ガ दिल्ली й Ё'), ['ガ', 'दिल्ली', 'й', 'е']);
});

test('pieces stand where they are in the text and hold the same terms; no term holds a space', () => {
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
        last = start;
      }
    }),
  );
});

test('a long plain word and its term begin with the same two letters, a short one with the same letter', () => {
  const ending = fc.constantFrom(
    '',
    's',
    'ies',
    'ying',
    'ied',
    'ed',
    'ing',
    'ingly',
    'ation',
    'ness',
    'ful',
    'ize',
    'ly',
  );
  const letters = fc.array(fc.constantFrom(...'abcdeghilmnorstuyz'), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(letters, ending, (start, end) => {
      const word = start.join('') + end;
      const [term = ''] = analyze(word);
      const same = word.length < 7 ? 1 : 2;
      assert.equal(term.slice(0, same), word.slice(0, same));
    }),
    { numRuns: 3_000 },
  );
});
