import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitBlocks } from './blocks.ts';
import { chunkText } from './chunk.ts';
import { MAX_CHUNK_BYTES } from './chunk-bytes.ts';
import { loadTokenCounter } from './tokens.ts';
import type { ChunkOptions, TextChunk } from './types.ts';

const count = await loadTokenCounter();
const STRATEGIES = ['markdown', 'sentence', 'sliding_window'] as const;

/** Every promise a chunk makes, whatever the text. */
function checkChunks(text: string, options: ChunkOptions): TextChunk[] {
  const chunks = chunkText(text, options, count);
  const size = options.size ?? 512;
  const blocks = splitBlocks(text);
  const whole: [number, number][] = blocks.flatMap((block) =>
    block.kind === 'code' ? [[block.start, block.end]] : (block.rows ?? []),
  );
  let covered = 0;
  let previousStart = -1;
  for (const chunk of chunks) {
    assert.equal(text.slice(chunk.start, chunk.end), chunk.content);
    assert.notEqual(chunk.content.trim(), '');
    assert.ok(Buffer.byteLength(chunk.content) <= MAX_CHUNK_BYTES, 'no chunk has more than 10 KB');
    assert.equal(chunk.tokens, count(chunk.content));
    assert.ok(chunk.start > previousStart, 'chunks go forward');
    previousStart = chunk.start;
    if (chunk.start > covered) assert.equal(text.slice(covered, chunk.start).trim(), '', 'nothing is left out');
    covered = Math.max(covered, chunk.end);
    for (const edge of [chunk.start, chunk.end]) {
      assert.ok(!/[\udc00-\udfff]/.test(text[edge] ?? '') || !/[\ud800-\udbff]/.test(text[edge - 1] ?? ''));
      const cut = whole.find(([start, end]) => start < edge && edge < end);
      const giant = (part: string) => count(part) > 2048 || Buffer.byteLength(part) > MAX_CHUNK_BYTES;
      assert.ok(cut === undefined || giant(text.slice(...cut)), 'code blocks and table rows stay whole');
    }
    if (chunk.tokens > size) {
      const inside = whole.filter(([start, end]) => chunk.start <= start && end <= chunk.end);
      assert.ok(
        inside.some((span) => count(text.slice(...span)) > size) || chunk.content.trim().length <= 2,
        'only a block that must stay whole makes a chunk too long',
      );
    }
  }
  assert.equal(text.slice(covered).trim(), '', 'the end is not left out');
  return chunks;
}

const word = fc.constantFrom(
  'alpha',
  'beta',
  'naïve',
  '東京都',
  '👩‍💻',
  'x|y',
  'a.b',
  'https://e.example/a?b=c',
  '**bold**',
  'e.g.',
);
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 14 }), fc.constantFrom('.', '!', '?', '', '。', ':'))
  .map(([words, end]) => words.join(' ') + end);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(' '));
const codeLine = fc.constantFrom(
  'const a = 1;',
  '',
  '# not a heading',
  '| not | a table |',
  '- not a list',
  '  indented()',
  '```',
);
const fence = fc
  .tuple(fc.array(codeLine, { maxLength: 12 }), fc.constantFrom('~~~', '````', '~~~~'), fc.constantFrom('', 'js'))
  .map(([lines, mark, language]) => [`${mark}${language}`, ...lines, mark].join('\n'));
const table = fc
  .array(fc.tuple(word, sentence), { minLength: 1, maxLength: 8 })
  .map((rows) =>
    ['| a | b |', '|---|:-:|', ...rows.map(([a, b]) => `| ${a.replace('|', '')} | ${b.replaceAll('|', '')} |`)].join(
      '\n',
    ),
  );
const list = fc
  .array(fc.tuple(fc.constantFrom('- ', '  * ', '    1. ', '1) '), sentence), { minLength: 1, maxLength: 8 })
  .map((items) => items.map(([mark, words]) => mark + words).join('\n'));
const heading = fc.tuple(fc.integer({ min: 1, max: 6 }), word).map(([level, title]) => `${'#'.repeat(level)} ${title}`);
const setext = word.map((title) => `${title}\n====`);
const quote = fc.tuple(paragraph, fence).map(([words, code]) => `> ${words}\n> ${code.replaceAll('\n', '\n> ')}`);
const noise = fc.string({ unit: 'binary', maxLength: 60 });
const markdown = fc
  .tuple(
    fc.array(fc.oneof(paragraph, paragraph, fence, table, list, heading, setext, quote, noise), { maxLength: 14 }),
    fc.constantFrom('\n\n', '\r\n\r\n', '\n', '\n\n\n'),
  )
  .map(([parts, gap]) => (gap.startsWith('\r') ? parts.join(gap).replace(/\r?\n/g, '\r\n') : parts.join(gap)));
const chunkOptions = fc.record({
  strategy: fc.constantFrom(...STRATEGIES),
  size: fc.constantFrom(1, 8, 20, 64, 512),
  overlap: fc.constantFrom(0, 5, 50),
  min: fc.constantFrom(0, 10, 50),
});

test('the promises hold on any Markdown', () => {
  fc.assert(
    fc.property(markdown, chunkOptions, (text, options) => void checkChunks(text, options)),
    { numRuns: 600 },
  );
});

test('the promises hold on any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      chunkOptions,
      (text, options) => void checkChunks(text, options),
    ),
    { numRuns: 200 },
  );
});

const story = (sentences: number) =>
  Array.from({ length: sentences }, (_, i) => `Sentence number ${i} tells a little more about the matter.`).join(' ');

test('an empty text has no chunks', () => {
  for (const text of ['', ' \n\t ']) assert.deepEqual(chunkText(text, {}, count), []);
});

test('long prose is filled well and overlaps', () => {
  for (const strategy of STRATEGIES) {
    const chunks = checkChunks(story(300), { strategy });
    assert.ok(chunks.length > 5);
    for (let i = 1; i < chunks.length; i++) {
      const shared = chunks[i - 1]!.content.slice(chunks[i]!.start - chunks[i - 1]!.start);
      assert.ok(count(shared) > 0 && count(shared) <= 50, `${strategy} repeats ${count(shared)} tokens`);
      if (i < chunks.length - 1) assert.ok(chunks[i]!.tokens > 440, `${strategy} fills ${chunks[i]!.tokens}`);
    }
  }
});

test('one sentence longer than a chunk is cut between words', () => {
  const chunks = checkChunks(`${'word '.repeat(900)}end`, { size: 100, overlap: 10 });
  assert.ok(chunks.every((chunk) => chunk.tokens <= 100));
  assert.ok(chunks.length < 14);
});

test('each chunk knows its headings and its type', () => {
  const text = [
    '# Guide',
    story(20),
    '## Install [now](https://e.example)',
    `\`\`\`sh\n${'npm install something --save\n'.repeat(12)}\`\`\``,
    '## Options',
    `| a | b |\n|---|---|\n${'| one value | another value |\n'.repeat(20)}`,
    '# Notes',
    '- an item with a few words in it\n'.repeat(20),
  ].join('\n\n');
  const chunks = checkChunks(text, {});
  assert.deepEqual(
    chunks.map(({ headingPath, type }) => [headingPath.join('/'), type]),
    [
      ['Guide', 'prose'],
      ['Guide/Install now', 'code'],
      ['Guide/Options', 'table'],
      ['Notes', 'list'],
    ],
  );
  assert.ok(chunks[1]!.content.startsWith('## Install'));
});

test('small sections join, and a heading stays with its text', () => {
  const chunks = checkChunks('# One\n\nShort.\n\n# Two\n\nAlso short.', {});
  assert.equal(chunks.length, 1);
  const long = checkChunks(`${story(30)}\n\n# Last\n\n${story(10)}`, { size: 320 });
  assert.ok(long.every((chunk) => !/# Last\s*$/.test(chunk.content)));
});

test('a fence that never closes runs to the end; a giant one is cut between lines', () => {
  assert.equal(checkChunks(`\`\`\`\n${'a line of code\n'.repeat(30)}`, { size: 50 }).length, 1);
  const lines = Array.from({ length: 3000 }, (_, i) => `print(${i})`);
  const chunks = checkChunks(`\`\`\`py\n${lines.join('\n')}\n\`\`\``, {});
  assert.ok(chunks.length > 10);
  for (const chunk of chunks) assert.ok(chunk.tokens <= 512 && /^(```py|print\()/.test(chunk.content));
});

test('whatever is one token to the model, a chunk has 10 KB at most', () => {
  const texts = [
    'a'.repeat(60_000),
    `Before it. ${'東'.repeat(30_000)} after it.`,
    `x${'👩'.repeat(20_000)}`,
    `\`\`\`\n${'z'.repeat(40_000)}\n\`\`\``,
    `| a | b |\n|---|---|\n| ${'q'.repeat(30_000)} | c |`,
    `# ${'t'.repeat(30_000)}`,
    `One paragraph.${'\n'.repeat(30_000)}Another one.`,
    `- ${'w'.repeat(9_000)} ${'v'.repeat(9_000)}\n- end`,
  ];
  for (const text of texts)
    for (const strategy of STRATEGIES)
      for (const size of [64, 512, 8_192]) {
        const chunks = checkChunks(text, { strategy, size });
        assert.ok(chunks.length > 1);
      }
});

test('long words among others never make a chunk too large, nor cut a character', () => {
  const long = fc
    .tuple(fc.constantFrom('a', 'é', '中', '😀', 'x😀'), fc.integer({ min: 1, max: 12_000 }))
    .map(([unit, times]) => unit.repeat(times));
  const text = fc.array(fc.oneof(long, paragraph), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' \n'));
  const options = fc.record({ strategy: fc.constantFrom(...STRATEGIES), size: fc.constantFrom(32, 512, 4_096) });
  fc.assert(
    fc.property(text, options, (content, given) => void checkChunks(content, given)),
    { numRuns: 60 },
  );
});
