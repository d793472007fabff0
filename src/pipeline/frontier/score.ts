/**
 * How promising an address is before anything is known about its content, for the order of the frontier.
 *
 * | kind | score | what |
 * | --- | --- | --- |
 * | seed | 1 | given by a person |
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

const HOME = /^\/(?:(?:index|default|home)(?:\.[a-z]{2,5})?)?$/i;
const LIST_PATH =
  /\/(?:page|pages|p|seite|pagina)[/-]?\d+(?:\/|\.|$)|\/(?:archives?|tags?|authors?|category|categories|topics?)(?:\/|$)|\/\d{4}\/\d{1,2}\/?$/i;
const LIST_QUERY = /[?&](?:page|paged|p|pg|start|offset|from|sort|order|orderby|filter|view|limit|per_page)=/i;
const CONTENT_PATH =
  /\/(?:blog|news|post|posts|article|articles|story|stories|docs?|guides?|help|learn|about|about-us|contact|contact-us)(?:\/|\.|$)|\/\d{4}\/\d{1,2}\/[^/]+|\/[^/?]*[a-z]+(?:-[a-z0-9]+){2,}(?:\.[a-z]+)?\/?$/i;

/** `url` is normalised and absolute; `depth` counts links from the seed. Runs for every link of every page. */
export function classifyUrl(url: string, depth: number, isSeed: boolean): UrlKind {
  if (isSeed) return 'seed';
  const { path, query } = splitUrl(url);
  if (query === '' && HOME.test(path)) return 'homepage';
  if (LIST_PATH.test(path) || (query !== '' && LIST_QUERY.test(query))) return 'pagination';
  if (depth > DEEP_DEPTH || countSegments(path) > DEEP_SEGMENTS) return 'deep';
  if (depth <= SHALLOW_DEPTH) return 'shallow';
  return CONTENT_PATH.test(path) ? 'content' : 'other';
}

/** 0 to 1; see the table above. */
export function scoreUrl(url: string, depth: number, isSeed: boolean): number {
  const kind = classifyUrl(url, depth, isSeed);
  if (kind === 'seed' || kind === 'homepage') return BASE[kind];
  return Math.round((BASE[kind] - Math.min(0.08, countSegments(splitUrl(url).path) * 0.01)) * 1000) / 1000;
}

/** Cuts by position instead of parsing: the address is known to be normal. */
function splitUrl(url: string): { path: string; query: string } {
  const host = url.indexOf('://') + 3;
  const start = url.indexOf('/', host);
  const mark = url.indexOf('?', host);
  const end = mark === -1 ? url.length : mark;
  if (start === -1 || start > end) return { path: '/', query: url.slice(end) };
  return { path: url.slice(start, end), query: url.slice(end) };
}

function countSegments(path: string): number {
  let count = 0;
  for (let at = 0; at < path.length; at++)
    if (path.charCodeAt(at) === 47 && at + 1 < path.length && path.charCodeAt(at + 1) !== 47) count++;
  return count;
}
