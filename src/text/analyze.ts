import { foldText } from './fold.ts';
import { stemEnglish } from './stem.ts';
import { stemArabic } from './stem-arabic.ts';
import { stemRussian } from './stem-russian.ts';
import { isUnspaced, pairsOf, splitScripts, unspacedPieces } from './unspaced.ts';
import { findWords } from './word-bounds.ts';

/** Raise it when the same text gives other terms than before: what is indexed is then indexed again. */
export const TERMS_VERSION = 2;

/** One piece of text and the terms it is found by: the exact form first when it has parts. */
export interface TextPiece {
  start: number;
  end: number;
  terms: string[];
}

/**
 * Text → terms, the same for documents and queries and for every keyword driver.
 *
 * A word becomes its lower-case stem without accents. Something written as one piece (`foo_bar`, `v2.4.1`,
 * `main.config.ts`, `getName`) becomes one exact term, then the stems of its parts: it is found exactly, and by its
 * parts. Text without spaces becomes its characters and their pairs. Terms keep the order of the text and stop words
 * stay in, since phrases need both.
 */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  const bounds = boundsOf(text);
  for (let at = 0; at < bounds.length; at += 2)
    for (const term of termsOf(text.slice(bounds[at], bounds[at + 1]))) terms.push(term);
  return terms;
}

/** The terms a word of a query ranks by: of text without spaces only the pairs, since single characters are too common. */
export function analyzeQueryWord(word: string): string[] {
  const terms: string[] = [];
  for (const match of word.matchAll(PIECES)) for (const term of splitPiece(match[0], true)) terms.push(term);
  return terms;
}

/**
 * Like `analyze`, with the place of every piece in the text. Plain words that begin otherwise than the terms looked for,
 * where those are given, are passed over: most of a text.
 */
export function analyzePieces(text: string, wanted?: Beginnings): TextPiece[] {
  const pieces: TextPiece[] = [];
  const bounds = boundsOf(text);
  for (let at = 0; at < bounds.length; at += 2) {
    const start = bounds[at]!;
    const end = bounds[at + 1]!;
    if (wanted !== undefined && isPlainWord(text, start, end) && !mayBegin(wanted, text, start, end)) continue;
    const word = text.slice(start, end);
    if (!isUnspaced(word)) {
      pieces.push({ start, end, terms: termsOf(word) });
      continue;
    }
    for (const { start: from, part } of splitScripts(word)) {
      if (isUnspaced(part)) pieces.push(...unspacedPieces(part, start + from));
      else pieces.push({ start: start + from, end: start + from + part.length, terms: termsOf(part) });
    }
  }
  return pieces;
}

/** How the terms of a query begin: their first letters, and their first two. */
export interface Beginnings {
  letters: ReadonlySet<number>;
  pairs: ReadonlySet<number>;
}

/** From this length on no ending that a stem leaves out reaches the second letter. */
const LONG_WORD = 7;
const pairOf = (first: number, second: number) => first * 256 + second;

/** Terms of one letter, as a prefix may be, begin with any second one. */
export function beginningsOf(terms: readonly string[]): Beginnings {
  const letters = new Set<number>();
  const pairs = new Set<number>();
  for (const term of terms) {
    const first = term.charCodeAt(0);
    letters.add(first);
    if (term.length > 1) pairs.add(pairOf(first, term.charCodeAt(1)));
    else for (let second = 97; second <= 122; second++) pairs.add(pairOf(first, second));
  }
  return { letters, pairs };
}

function mayBegin({ letters, pairs }: Beginnings, text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start) | 32;
  return end - start < LONG_WORD ? letters.has(first) : pairs.has(pairOf(first, text.charCodeAt(start + 1)));
}

/** A letter of English, and nothing but small ones after it. */
function isPlainWord(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start) | 32;
  if (first < 97 || first > 122) return false;
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

const boundsOf = (text: string): number[] =>
  SURROGATES.test(text)
    ? Array.from(text.matchAll(PIECES), ({ index, 0: piece }) => [index, index + piece.length]).flat()
    : findWords(text);

/** Words so common that they carry nothing in a ranked query. Takes a term as `analyze` makes it. */
export const isStopWord = (term: string) => STOP_WORDS.has(term);

/** As `findWords`, for every letter there is. */
export const PIECES =
  /(?:\.(?<![^\s([{"'`]\.)(?=\p{L}))?[\p{L}\p{N}\p{M}]+(?:[._:/@#+\-'’\\]+[\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
const PARTS = /[\p{L}\p{N}\p{M}]+/gu;
/** Where camel case bends: `getName`, `HTTPServer`. */
const BENDS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const PLAIN = /^[a-z]+$/;
const SURROGATES = /[\ud800-\udfff]/;
const MAX_TERM = 64;

/** Most words of a text repeat, so their terms are kept; the bound keeps odd input from filling memory. */
const known = new Map<string, string[]>();
const MAX_KNOWN = 50_000;

function termsOf(piece: string): string[] {
  let terms = known.get(piece);
  if (terms === undefined) {
    terms = PLAIN.test(piece) ? [stem(piece)] : splitPiece(piece, false);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(piece, terms);
  }
  return terms;
}

function splitPiece(piece: string, ranking: boolean): string[] {
  if (isUnspaced(piece))
    return splitScripts(piece).flatMap(({ part }) =>
      isUnspaced(part) ? pairsOf(foldText(part), ranking) : splitPiece(part, ranking),
    );
  const text = foldText(piece);
  const words = (text.match(PARTS) ?? []).flatMap((part) => part.split(BENDS)).map((word) => word.toLowerCase());
  // A possessive or a contraction is its word: prandtl's → prandtl, don't → don.
  if (/['’]\p{L}{1,2}$/u.test(text) && words.length > 1) words.pop();
  if (words.length === 0) return [];
  // A version is the same with and without its v.
  const version = /^v(\d+\..+)$/i.exec(text)?.[1]?.toLowerCase();
  if (version !== undefined) words[0] = words[0]!.slice(1);
  const parts = words.map(stem).filter((part) => part !== '');
  const hyphenated = /^[\p{L}'’-]+$/u.test(text);
  if (words.length === 1 && words[0] === text.toLowerCase()) return parts;
  if (hyphenated && !BENDS.test(text)) return parts;
  // A camel-case name is also found as one lower-case word.
  const whole = text.toLowerCase().slice(0, MAX_TERM);
  const exact = /^\p{L}+$/u.test(whole) ? stem(whole) : whole;
  if (version !== undefined) return [exact, version.slice(0, MAX_TERM), ...parts];
  return parts.length === 1 && parts[0] === exact ? parts : [exact, ...parts];
}

const stem = (word: string) => {
  const kept = word.slice(0, MAX_TERM);
  const first = kept.charCodeAt(0);
  if (first >= 0x400 && first < 0x530) return stemRussian(kept);
  if (first >= 0x600 && first < 0x700) return stemArabic(kept);
  return stemEnglish(kept);
};

const STOP_WORDS = new Set(
  (
    'a about above after again against all am an and any are as at be because been before being below between both ' +
    'but by can could did do does doing don down during each few for from further had has have having he her here ' +
    'hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now of ' +
    'off on once only or other our ours ourselves out over own same she should so some such than that the their ' +
    'theirs them themselves then there these they this those through to too under until up very was we were what ' +
    'when where which while who whom why will with would you your yours yourself yourselves'
  )
    .split(' ')
    .map(stem),
);
