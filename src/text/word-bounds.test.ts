import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PIECES } from './analyze.ts';
import { findWords } from './word-bounds.ts';

const byPattern = (text: string) =>
  Array.from(text.matchAll(PIECES), ({ index, 0: piece }) => [index, index + piece.length]).flat();

test('words are where the pattern finds them', () => {
  const signs = [..."abZ09 .._:/@#++-''’\\([\"`\n\té日本ß٣\u0301,—\u00a0"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 24 }), (parts) => {
      const text = parts.join('');
      assert.deepEqual(findWords(text), byPattern(text));
    }),
    { numRuns: 3_000 },
  );
});

test('names, versions and paths are one word each', () => {
  const text = 'Use C++, .NET or node:fs; see src/db/pages.ts (v2.4.1).';
  const bounds = findWords(text);
  const words = bounds.flatMap((start, at) => (at % 2 === 0 ? [text.slice(start, bounds[at + 1])] : []));
  assert.deepEqual(words, ['Use', 'C++', '.NET', 'or', 'node:fs', 'see', 'src/db/pages.ts', 'v2.4.1']);
});
