/**
 * How promising an address is before anything is known about its content, for the order of the frontier.
 *
 * | kind | score | what |
 * | --- | --- | --- |
 * | seed | 1 | given by a user |
 * | homepage | 0.9 | the root of a site |
 * | shallow | 0.8 | at most two links from a seed |
 * | content | 0.55 | reads like an article, a blog post, /about or /contact |
 * | other | 0.45 | nothing is known |
 * | pagination | 0.2 | page 2 and on, archives, tag and author lists, sorted or filtered views |
 * | deep | 0.1 | more than five links from a seed, or more than seven path segments |
 *
 * Within a kind, shorter paths come first: each segment costs 0.01, at most 0.08, so kinds never overlap.
 */
export type UrlKind = 'seed' | 'homepage' | 'shallow' | 'content' | 'other' | 'pagination' | 'deep';

const BASE: Record<UrlKind, number> = {
  seed: 1,
  homepage: 0.9,
  shallow: 0.8,
  content: 0.55,
  other: 0.45,
  pagination: 0.2,
  deep: 0.1,
};

const SHALLOW_DEPTH = 2;
const DEEP_DEPTH = 5;
const DEEP_SEGMENTS = 7;

const LIST_SEGMENTS = new Set(
  'page pages archive archives tag tags author authors category categories topic topics'.split(' '),
);
const CONTENT_SEGMENTS = new Set(
  'blog news post posts article articles story stories doc docs guide guides help learn about about-us contact contact-us'.split(
    ' ',
  ),
);
const HOME_SEGMENT = /^(?:index|default|home)(?:\.[a-z]{2,5})?$/;
const PAGE_SEGMENT = /^(?:page|seite|pagina|p)-?\d+(?:\.[a-z]+)?$/;
const STARTS_PAGE = new Set('ps');
const LIST_QUERY = /[?&](?:page|paged|p|pg|start|offset|from|sort|order|orderby|filter|view|limit|per_page)=/i;

/** `url` is normalised and absolute; `depth` counts links from the seed. */
export const classifyUrl = (url: string, depth: number, isSeed: boolean): UrlKind =>
  isSeed ? 'seed' : readUrl(url, depth).kind;

/** 0 to 1; see the table above. Runs for every link of every page. */
export function scoreUrl(url: string, depth: number, isSeed: boolean): number {
  if (isSeed) return BASE.seed;
  const { kind, segments } = readUrl(url, depth);
  if (kind === 'homepage') return BASE.homepage;
  return Math.round((BASE[kind] - Math.min(0.08, segments * 0.01)) * 1000) / 1000;
}

/** One walk over the path, by position: the address is known to be normal, so nothing is parsed. */
function readUrl(url: string, depth: number): { kind: UrlKind; segments: number } {
  const host = url.indexOf('://') + 3;
  const mark = url.indexOf('?', host);
  const end = mark === -1 ? url.length : mark;
  let segments = 0;
  let last = '';
  let isList = mark !== -1 && LIST_QUERY.test(url.slice(mark));
  let isContent = false;
  // How much of /2024/05/ has been read: a year, then a month. At the end it is an archive, further on an article.
  let date = 0;
  for (let slash = url.indexOf('/', host); slash !== -1 && slash < end; ) {
    const next = url.indexOf('/', slash + 1);
    const stop = next === -1 || next > end ? end : next;
    if (stop > slash + 1) {
      segments++;
      last = url.slice(slash + 1, stop).toLowerCase();
      if (date === 2) isContent = true;
      date = date === 0 && isNumber(last, 4, 4) ? 1 : date === 1 && isNumber(last, 1, 2) ? 2 : 0;
      if (LIST_SEGMENTS.has(last) || (STARTS_PAGE.has(last[0]!) && PAGE_SEGMENT.test(last))) isList = true;
      else if (CONTENT_SEGMENTS.has(withoutExtension(last))) isContent = true;
    }
    slash = next;
  }
  const kind = (): UrlKind => {
    if (mark === -1 && (segments === 0 || (segments === 1 && HOME_SEGMENT.test(last)))) return 'homepage';
    if (isList || date === 2) return 'pagination';
    if (depth > DEEP_DEPTH || segments > DEEP_SEGMENTS) return 'deep';
    if (depth <= SHALLOW_DEPTH) return 'shallow';
    return isContent || isSlug(last) ? 'content' : 'other';
  };
  return { kind: kind(), segments };
}

function isNumber(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > max) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 48 || text.charCodeAt(at) > 57) return false;
  return true;
}

function withoutExtension(segment: string): string {
  const dot = segment.indexOf('.');
  return dot === -1 ? segment : segment.slice(0, dot);
}

/** Titles become slugs of several words. */
function isSlug(segment: string): boolean {
  let hyphens = 0;
  for (let at = segment.indexOf('-'); at !== -1; at = segment.indexOf('-', at + 1)) hyphens++;
  return hyphens >= 2 && /[a-z]{2}/.test(segment);
}
