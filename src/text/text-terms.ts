import { analyze, analyzeQueryWord, isStopWord } from './analyze.ts';
import { foldText } from './fold.ts';
import { stemEnglish } from './stem.ts';

/** How often a field's words count: words of the title say more about a chunk than words of its body. */
const TITLE_WEIGHT = 2;

/** Stands between fields, so that no phrase runs from one into the next. No word can be this. */
const BREAK = '¶';

/** All terms of a chunk in the order of its text: title, headings, body. Weight is repetition, as in BM25F. */
export function chunkTerms(row: { title: string; headings: string; content: string }): string[] {
  const title = analyze(row.title);
  const terms: string[] = [];
  for (let i = 0; i < TITLE_WEIGHT; i++) terms.push(...title, BREAK);
  terms.push(...analyze(row.headings), BREAK, ...analyze(row.content));
  return terms;
}

/** Terms to rank by, each with how often it occurs in the query. Stop words count only when there is nothing else. */
export function queryTerms(words: readonly string[]): Map<string, number> {
  const all = words.flatMap((word) => analyzeQueryWord(word));
  const telling = all.filter((term) => !isStopWord(term));
  const terms = new Map<string, number>();
  for (const term of telling.length > 0 ? telling : all) terms.set(term, (terms.get(term) ?? 0) + 1);
  return terms;
}

/** A phrase as the terms that must follow each other. */
export const phraseTerms = (phrase: readonly string[]): string[] => phrase.flatMap((word) => analyze(word));

/** Ends that could complete a half-typed word; its stem may be shorter than what was typed. */
const ENDS = [
  '',
  'e',
  's',
  'n',
  'g',
  'd',
  'y',
  'l',
  'on',
  'ng',
  'ss',
  'ed',
  'es',
  'ly',
  'al',
  'ty',
  'ion',
  'ing',
  'ity',
];

/**
 * What a word with a trailing * stands for: terms that start so, and the stems that words which start so can have, as
 * `connectio*` means connection, which is found as `connect`.
 */
export function prefixTerms(prefix: string): { start: string; stems: string[] } {
  const start = foldText(prefix).toLowerCase();
  const stems = new Set(ENDS.map((end) => stemEnglish(start + end)));
  return { start, stems: [...stems].filter((stem) => stem.length < start.length && start.startsWith(stem)) };
}

/** Whether an indexed term is one a prefix stands for. */
export const matchesPrefix = (term: string, { start, stems }: ReturnType<typeof prefixTerms>): boolean =>
  term.startsWith(start) || stems.includes(term);
