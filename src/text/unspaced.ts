import type { TextPiece } from './analyze.ts';
import { foldText } from './fold.ts';

/**
 * Scripts in which words are not separated, or (Korean) include their endings: there, a search term may occur
 * anywhere inside a run.
 */
const SIGN =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const UNSPACED = new RegExp(`[${SIGN}]`, 'u');
const RUNS = new RegExp(`[${SIGN}]+|[^${SIGN}]+`, 'gu');

/** Some characters fold into several, brackets among them. */
const LETTER = /[\p{L}\p{N}\p{M}]/gu;

export const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/** `Wi-Fi接続` is two texts: the parts written without spaces, and what is between them. */
export const splitScripts = (piece: string): { start: number; part: string }[] =>
  Array.from(piece.matchAll(RUNS), (match) => ({ start: match.index, part: match[0] }));

/**
 * Every character and every pair of neighbours, in order: 全文検 → 全, 全文, 文, 文検, 検. A run is then found by any of its
 * characters, and any stretch of it is found as a phrase. For ranking only the pairs count, where there are any.
 */
export function pairsOf(run: string, ranking: boolean): string[] {
  const signs = run.match(LETTER) ?? [];
  if (ranking && signs.length > 1) return signs.slice(1).map((sign, at) => signs[at]! + sign);
  return signs.flatMap((sign, at) => (at + 1 < signs.length ? [sign, sign + signs[at + 1]!] : [sign]));
}

/** The same with their places; a run that becomes shorter or longer when it is folded is one piece. */
export function* unspacedPieces(run: string, start: number): Generator<TextPiece> {
  const folded = foldText(run);
  if (folded.length !== run.length) {
    const terms = pairsOf(folded, false);
    if (terms.length > 0) yield { start, end: start + run.length, terms };
    return;
  }
  const signs = [...folded];
  let at = start;
  for (const [place, sign] of signs.entries()) {
    yield { start: at, end: at + sign.length, terms: [sign] };
    const next = signs[place + 1];
    if (next !== undefined) yield { start: at, end: at + sign.length + next.length, terms: [sign + next] };
    at += sign.length;
  }
}
