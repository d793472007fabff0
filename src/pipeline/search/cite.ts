import { unlink } from '../../text/markdown-links.ts';
import { bestPassage, type Range } from './highlight.ts';

/** Words of the passage that the link quotes at each end; whole short passages are quoted as they are. */
const QUOTED_WORDS = 6;

/**
 * The page's address with a text fragment: a browser that follows it scrolls to the passage and marks it. What Markdown
 * adds to the page's own words (stars, brackets, link targets) is taken out first, since the page does not show it.
 */
export function citeLink(url: string, content: string, highlights: readonly Range[]): string {
  const passage = bestPassage(content, highlights) ?? firstSentence(content);
  const cells = content
    .slice(...passage)
    .split(CELL)
    .map((cell) => plain(cell).split(/\s+/).filter(hasSign))
    .filter((words) => words.some(hasWord));
  if (cells.length === 0 || !/^https?:/.test(url)) return url;
  const base = url.split('#:~:')[0]!;
  return `${base}${base.includes('#') ? '' : '#'}:~:text=${quote(cells)}`;
}

/** A quote cannot run over the edge of a table's cell, but a range from one to another can. */
const CELL = /(?<!\\)\|/;
const hasSign = (word: string) => word !== '';
const hasWord = (word: string) => /[\p{L}\p{N}]/u.test(word);

function quote(cells: readonly string[][]): string {
  const [first, last] = [cells[0]!, cells.at(-1)!];
  if (cells.length === 1 && first.length <= 2 * QUOTED_WORDS) return encodePart(first.join(' '));
  return [first.slice(0, QUOTED_WORDS), last.slice(-QUOTED_WORDS)]
    .map((words) => encodePart(words.join(' ')))
    .join(',');
}

/** In a text directive the dash, the comma and the ampersand are syntax; as text they must be escaped. */
const encodePart = (text: string) =>
  encodeURIComponent(text).replace(/[-!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function firstSentence(content: string): Range {
  const match = /[^\s#>*|`-][^\n.!?]*[.!?]?/.exec(content);
  return match === null ? [0, 0] : [match.index, match.index + match[0].length];
}

const plain = (markdown: string) =>
  unlink(markdown, () => ' ')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+/gm, '')
    .replace(/(\*\*|__|`+|~~)/g, '')
    .replace(/(^|\s)[*_](\S)/g, '$1$2')
    .replace(/(\S)[*_](?=\s|$|[.,;:!?])/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1');
