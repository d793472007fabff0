import { stemEnglish } from './stem.ts';

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
 * parts. Terms keep the order of the text and stop words stay in, since phrases need both.
 */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  for (const match of text.matchAll(PIECES)) for (const term of termsOf(match[0])) terms.push(term);
  return terms;
}

/** Like `analyze`, with the place of every piece in the text. */
export function* analyzePieces(text: string): Generator<TextPiece> {
  for (const match of text.matchAll(PIECES))
    yield { start: match.index, end: match.index + match[0].length, terms: termsOf(match[0]) };
}

/** Words so common that they carry nothing in a ranked query. Takes a term as `analyze` makes it. */
export const isStopWord = (term: string) => STOP_WORDS.has(term);

/** Runs of letters and digits, joined by the signs that hold identifiers, versions, paths and file names together. */
const PIECES = /[\p{L}\p{N}\p{M}]+(?:[._:/@#+\-'’\\]+[\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
const PARTS = /[\p{L}\p{N}\p{M}]+/gu;
/** Where camel case bends: `getName`, `HTTPServer`. */
const BENDS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const PLAIN = /^[a-z]+$/;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const MAX_TERM = 64;

/** Most words of a text repeat, so their terms are kept; the bound keeps odd input from filling memory. */
const known = new Map<string, string[]>();
const MAX_KNOWN = 50_000;

function termsOf(piece: string): string[] {
  let terms = known.get(piece);
  if (terms === undefined) {
    terms = PLAIN.test(piece) ? [stem(piece)] : splitPiece(piece);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(piece, terms);
  }
  return terms;
}

function splitPiece(piece: string): string[] {
  const text = fold(piece);
  if (NO_SPACES.test(text)) return pairs(text);
  const words = (text.match(PARTS) ?? []).flatMap((part) => part.split(BENDS)).map((word) => word.toLowerCase());
  // A possessive or a contraction is its word: prandtl's → prandtl, don't → don.
  if (/['’]\p{L}{1,2}$/u.test(text) && words.length > 1) words.pop();
  if (words.length === 0) return [];
  const parts = words.map(stem).filter((part) => part !== '');
  const hyphenated = /^[\p{L}'’-]+$/u.test(text);
  if (words.length === 1 && words[0] === text.toLowerCase()) return parts;
  if (hyphenated && !BENDS.test(text)) return parts;
  const exact = text.toLowerCase().slice(0, MAX_TERM);
  return parts.length === 1 && parts[0] === exact ? parts : [exact, ...parts];
}

/** Scripts that set no blanks are found by pairs of neighbouring characters. */
function pairs(text: string): string[] {
  const characters = [...text];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => characters[at]! + character);
}

const stem = (word: string) => stemEnglish(word.slice(0, MAX_TERM));
const ASCII = /^[\x20-\x7e]*$/;
const fold = (text: string) =>
  ASCII.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/[\p{M}\s]/gu, '')
        .normalize('NFKC');

const STOP_WORDS = new Set(
  (
    'a about above after again against all am an and any are as at be because been before being below between both ' +
    'but by can could did do does doing don down during each few for from further had has have having he her here ' +
    'hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now of ' +
    'off on once only or other our ours ourselves out over own s same she should so some such t than that the their ' +
    'theirs them themselves then there these they this those through to too under until up very was we were what ' +
    'when where which while who whom why will with would you your yours yourself yourselves'
  )
    .split(' ')
    .map(stem),
);
