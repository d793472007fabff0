import { bestPassage, type Range } from './highlight.ts';

/** Words of the passage that the link quotes at each end; whole short passages are quoted as they are. */
const QUOTED_WORDS = 6;

/**
 * The page's address with a text fragment: a browser that follows it scrolls to the passage and marks it. What Markdown
 * adds to the page's own words (stars, brackets, link targets) is taken out first, since the page does not show it.
 */
export function citeLink(url: string, content: string, highlights: readonly Range[]): string {
  const passage = bestPassage(content, highlights) ?? firstSentence(content);
  const words = plain(content.slice(...passage))
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0 || !/^https?:/.test(url)) return url;
  const base = url.split('#:~:')[0]!;
  const fragment =
    words.length <= 2 * QUOTED_WORDS
      ? encodePart(words.join(' '))
      : `${encodePart(words.slice(0, QUOTED_WORDS).join(' '))},${encodePart(words.slice(-QUOTED_WORDS).join(' '))}`;
  return `${base}${base.includes('#') ? '' : '#'}:~:text=${fragment}`;
}

/** In a text directive the dash, the comma and the ampersand are syntax; as text they must be escaped. */
const encodePart = (text: string) =>
  encodeURIComponent(text).replace(/[-!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function firstSentence(content: string): Range {
  const match = /[^\s#>*|`-][^\n.!?]*[.!?]?/.exec(content);
  return match === null ? [0, 0] : [match.index, match.index + match[0].length];
}

const plain = (markdown: string) =>
  markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, '')
    .replace(/(\*\*|__|`+|~~)/g, '')
    .replace(/(^|\s)[*_](\S)/g, '$1$2')
    .replace(/(\S)[*_](?=\s|$|[.,;:!?])/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1')
    .replace(/\s*\|\s*/g, ' ');
