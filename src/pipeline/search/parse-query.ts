import { AppError } from '../../errors.ts';
import type { TextQuery } from '../../ports/fulltext.ts';

export const MAX_QUERY_LENGTH = 1_000;

/** A query of more words is prose: its quotes and dashes are emphasis, not commands. */
const PROSE_WORDS = 16;

export interface ParsedQuery {
  /** The normalised query: one space between words, Unicode normal form, nothing else changed. */
  normalized: string;
  /** What the embedder reads: no operators, nothing that is excluded. */
  meaning: string;
  text: TextQuery;
  /** True when something must or must not occur, which a vector cannot express. */
  strict: boolean;
}

const QUOTES = /[“”„‟«»]/g;
/** An optional minus, then a quoted phrase or a run without whitespace. */
const ITEM = /(-?)"([^"]*)"?|(\S+)/g;

/**
 * Words rank; "a phrase" must occur as typed; word* stands for every word that starts so; -word and -"a phrase" must
 * not occur. A minus alone, inside a word or before a digit is only text, and so is every operator in a long question.
 */
export function parseQuery(input: string): ParsedQuery {
  const normalized = input.normalize('NFC').replace(QUOTES, '"').replace(/\s+/g, ' ').trim();
  if (normalized === '') throw new AppError('QUERY_EMPTY', 'the query is empty');
  if (normalized.length > MAX_QUERY_LENGTH)
    throw new AppError('QUERY_TOO_LONG', `the query has ${normalized.length} characters`);
  if (normalized.split(' ').length > PROSE_WORDS) return parsePlain(normalized);
  const text: TextQuery = { words: [], phrases: [], prefixes: [], excluded: [] };
  const meaning: string[] = [];
  for (const [, minus, quoted, run = ''] of normalized.matchAll(ITEM)) {
    if (quoted !== undefined) {
      const words = wordsOf(quoted);
      if (words.length === 0) continue;
      if (minus === '-') text.excluded.push(words);
      else {
        text.phrases.push(words);
        meaning.push(quoted.trim());
      }
    } else if (/^-\p{L}/u.test(run)) text.excluded.push([run.slice(1)]);
    else if (/^[\p{L}\p{N}][^*]*\*$/u.test(run)) {
      text.prefixes.push(run.slice(0, -1));
      meaning.push(run.slice(0, -1));
    } else if (hasWord(run)) {
      text.words.push(run);
      meaning.push(run);
    }
  }
  if (meaning.length === 0)
    throw new AppError('QUERY_EMPTY', 'the query names nothing to look for', { details: { query: normalized } });
  const strict = text.phrases.length + text.prefixes.length + text.excluded.length > 0;
  return { normalized, meaning: meaning.join(' '), text, strict };
}

/** The same words, nothing required and nothing excluded: for texts that are questions of any length. */
export function parsePlain(input: string): ParsedQuery {
  const normalized = input.normalize('NFC').replace(/\s+/g, ' ').trim();
  const words = normalized.split(' ').filter(hasWord);
  if (words.length === 0) throw new AppError('QUERY_EMPTY', 'the query is empty');
  const text = { words, phrases: [], prefixes: [], excluded: [] };
  return { normalized, meaning: words.join(' '), text, strict: false };
}

const hasWord = (run: string) => /[\p{L}\p{N}]/u.test(run);
const wordsOf = (quoted: string) => quoted.split(' ').filter(hasWord);
