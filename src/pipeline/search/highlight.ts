import type { TextQuery } from '../../ports/fulltext.ts';
import { analyzePieces, analyzeQueryWord, beginningsOf, isStopWord } from '../../text/analyze.ts';
import { matchesPrefix, prefixTerms, queryTerms } from '../../text/text-terms.ts';

/** A range of the content, [start, end). */
export type Range = [start: number, end: number];

/**
 * Finds the words of a query in a text, in other forms too; neighbours join when only whitespace is between them.
 * The query is taken apart once, for however many texts.
 */
export function createHighlighter(query: TextQuery): (content: string) => Range[] {
  const wanted = new Set(queryTerms(query.words).keys());
  for (const word of query.phrases.flat()) for (const term of analyzeQueryWord(word)) wanted.add(term);
  const prefixes = query.prefixes.map(prefixTerms);
  const beginnings = beginningsOf([...wanted, ...prefixes.flatMap(({ start, stems }) => [start, ...stems])]);
  return (content) => {
    const ranges: Range[] = [];
    for (const { start, end, terms } of analyzePieces(content, beginnings)) {
      const hit = terms.some((term) => wanted.has(term) || prefixes.some((prefix) => matchesPrefix(term, prefix)));
      if (!hit) continue;
      const last = ranges.at(-1);
      if (last !== undefined && /^\s*$/.test(content.slice(last[1], start))) last[1] = Math.max(last[1], end);
      else ranges.push([start, end]);
    }
    return ranges;
  };
}

const SENTENCE = /[^\n.!?。！？]+(?:[.!?](?=\S)[^\n.!?。！？]*)*[.!?。！？]?/g;

/**
 * The sentence-like stretch with most of the query's words: what a link should jump to. Undefined when none occurs.
 * Stop words do not count.
 */
export function bestPassage(content: string, ranges: readonly Range[]): Range | undefined {
  if (ranges.length === 0) return undefined;
  let best: Range | undefined;
  let most = 0;
  let next = 0;
  for (const { index, 0: sentence } of content.matchAll(SENTENCE)) {
    const end = index + sentence.length;
    const inside: Range[] = [];
    // Both come in order, so each range is looked at once.
    for (; next < ranges.length && ranges[next]![0] < end; next++)
      if (ranges[next]![0] >= index && ranges[next]![1] <= end) inside.push(ranges[next]!);
    const words = new Set(inside.map(([from, to]) => content.slice(from, to).toLowerCase()));
    const count = [...words].filter((word) => !isStopWord(word)).length;
    if (count > most) {
      most = count;
      best = [index, end];
    }
  }
  return best ?? [ranges[0]![0], ranges[0]![1]];
}
