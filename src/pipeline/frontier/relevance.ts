import { scoreUrl } from '../../web/score-url.ts';
import { commonPart, queryWords, toWords, urlWords } from './words.ts';

export interface ScorableUrl {
  url: string;
  title?: string;
  /** Anchor text, or whatever else is known about it. */
  text?: string;
}

export interface ScoredUrl {
  url: string;
  /** 0 to 1. */
  score: number;
}

const WEIGHTS = { title: 0.9, text: 0.8, path: 0.8, host: 0.4 } as const;

/**
 * How well each address fits a query, judged by its words: title, anchor text, path, host. Words that few of the
 * addresses have count more; a word that none has counts as the most common one. In the order given.
 */
export function scoreUrls(urls: readonly ScorableUrl[], query: string): ScoredUrl[] {
  const words = queryWords(query);
  if (words.length === 0) return urls.map(({ url }) => ({ url, score: 0 }));
  const hits = urls.map((each) => wordHits(each, words));
  const weights = words.map((_, index) => {
    const having = hits.filter((hit) => hit[index]! > 0).length;
    return having === 0 ? undefined : Math.log(1 + (urls.length - having + 0.5) / (having + 0.5));
  });
  const least = Math.min(...weights.filter((weight) => weight !== undefined));
  if (!Number.isFinite(least)) return urls.map(({ url }) => ({ url, score: 0 }));
  const full = weights.map((weight) => weight ?? least);
  const sum = full.reduce((total, weight) => total + weight, 0);
  return urls.map(({ url }, row) => {
    const total = full.reduce((part, weight, index) => part + weight * hits[row]![index]!, 0);
    return { url, score: round(total / sum) };
  });
}

/** Per query word, how surely the address is about it: each field that has the word adds to it. */
function wordHits(each: ScorableUrl, words: readonly string[]): number[] {
  const { host, path } = urlWords(each.url);
  const fields = [
    { weight: WEIGHTS.path, words: new Set(path) },
    { weight: WEIGHTS.host, words: new Set(host) },
    { weight: WEIGHTS.title, words: new Set(toWords(each.title ?? '')) },
    { weight: WEIGHTS.text, words: new Set(toWords(each.text ?? '')) },
  ];
  return words.map((word) => {
    let miss = 1;
    for (const field of fields) if (field.words.has(word)) miss *= 1 - field.weight;
    return 1 - miss;
  });
}

export interface LinkToScore {
  url: string;
  /** Anchor text. */
  text: string;
  keywords: readonly string[];
  /** Links from the seed. */
  depth: number;
}

const TEXT_HIT = 0.65;
const URL_HIT = 0.55;
const DEPTH_COST = 0.03;

/**
 * The score of a link for best-first crawling, 0 to 1. One keyword in the anchor text gives 0.65, in the address 0.55,
 * further ones add less and less; a phrase counts by the part of its words that is there. Depth costs up to 15 %. A
 * link without any keyword gets at most 0.2, by its kind. Without keywords the kind alone decides.
 */
export function scoreLink({ url, text, keywords, depth }: LinkToScore): number {
  const { phrases, parts } = compileKeywords(keywords);
  const kind = scoreUrl(url, depth, false);
  if (phrases.length === 0) return kind;
  // Most links have none of the words, and need no more than a look for parts of them.
  if (isPlain(text) && !url.includes('%')) {
    const both = `${text} ${url}`.toLowerCase();
    if (!parts.some((part) => both.includes(part))) return round(0.2 * kind);
  }
  const inText = new Set(toWords(text));
  const inUrl = new Set(urlWords(url).path);
  let miss = 1;
  for (const words of phrases) {
    miss *= 1 - TEXT_HIT * share(words, inText);
    miss *= 1 - URL_HIT * share(words, inUrl);
  }
  if (miss === 1) return round(0.2 * kind);
  return round((1 - miss) * (1 - DEPTH_COST * Math.min(5, depth)));
}

const isPlain = (text: string) => /^[\u0020-\u007e\s]*$/.test(text);

function share(words: readonly string[], present: ReadonlySet<string>): number {
  let found = 0;
  for (const word of words) if (present.has(word)) found++;
  return found / words.length;
}

interface Keywords {
  /** The words of each keyword. */
  phrases: string[][];
  /** What a text must hold to have any of the words. */
  parts: string[];
}

/** A crawl uses the same keyword list for every link, so each list is parsed once. */
const compiled = new WeakMap<readonly string[], Keywords>();

function compileKeywords(keywords: readonly string[]): Keywords {
  const known = compiled.get(keywords);
  if (known !== undefined) return known;
  const phrases = keywords.map(queryWords).filter((words) => words.length > 0);
  const made = { phrases, parts: [...new Set(phrases.flat().map(commonPart))] };
  compiled.set(keywords, made);
  return made;
}

const round = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
