import type { Box } from '../content/box.ts';
import { collapseWhitespace } from '../content/whitespace.ts';

/** An absolute address, or undefined for what cannot be linked to. */
export type ResolveUrl = (href: string) => string | undefined;

const MARKS: Record<string, string> = {
  strong: '**', b: '**', em: '*', i: '*', cite: '*', del: '~~', s: '~~', strike: '~~',
}; // biome-ignore format: a table
const VERBATIM = new Set(['code', 'kbd', 'samp', 'tt']);

/** Inline content as Markdown, trimmed; `\n` stands for a forced line break. */
export function renderInline(nodes: readonly (Box | string)[], resolve: ResolveUrl): string {
  let text = '';
  let even = true;
  let afterSpace = false;
  for (const node of nodes) {
    const part = inline(node, resolve);
    if (part === '') continue;
    // Text has single spaces only; two may meet where parts join, and elements may hold anything.
    if (afterSpace && part.charCodeAt(0) === 32) even = false;
    if (typeof node !== 'string' && (part.includes('\n') || part.includes('  '))) even = false;
    afterSpace = part.charCodeAt(part.length - 1) === 32;
    text += part;
  }
  return even ? text.trim() : tidy(text);
}

function tidy(text: string): string {
  return text.includes('\n') || text.includes('  ')
    ? text
        .replace(/ {2,}/g, ' ')
        .replace(/ ?\n ?/g, '\n')
        .replace(/\n{2,}/g, '\n')
        .trim()
    : text.trim();
}

function inline(node: Box | string, resolve: ResolveUrl): string {
  if (typeof node === 'string') return escapeText(node);
  if (node.removed) return '';
  const { tag } = node;
  if (tag === 'br') return '\n';
  if (tag === 'img') return image(node, resolve);
  if (VERBATIM.has(tag)) return verbatim(node);
  let text = '';
  for (const child of node.children) text += inline(child, resolve);
  if (tag === 'a') return link(node, text, resolve);
  const mark = MARKS[tag];
  if (mark !== undefined) return wrap(text, mark);
  return node.block ? ` ${text} ` : text;
}

/** Marks directly around the text; whitespace at its ends stays outside. Empty text gets no marks. */
function wrap(text: string, mark: string): string {
  const core = text.trim();
  if (core === '' || core.includes('\n') || core.startsWith(mark) || core.endsWith(mark)) return text;
  const start = text.indexOf(core);
  return `${text.slice(0, start)}${mark}${core}${mark}${text.slice(start + core.length)}`;
}

const BRACKETS = /[[\]]/;

function link(box: Box, text: string, resolve: ResolveUrl): string {
  const href = box.element.attribs.href;
  const core = tidy(text).replaceAll('\n', ' ');
  if (core === '') return text;
  const url = href === undefined ? undefined : resolve(href);
  if (url === undefined) return text;
  const before = text.trimStart().length < text.length ? ' ' : '';
  const after = text.trimEnd().length < text.length ? ' ' : '';
  const plain = core.startsWith('![') || !BRACKETS.test(core);
  const safe = plain ? core : core.replace(/(?<!\\)([[\]])/g, '\\$1');
  return `${before}[${safe}](${destination(url)})${after}`;
}

function image(box: Box, resolve: ResolveUrl): string {
  const { attribs } = box.element;
  const source = [attribs.src, attribs['data-src'], attribs['data-lazy-src'], attribs['data-original']].find(
    (value) => value !== undefined && value !== '' && !value.startsWith('data:'),
  );
  const url = source === undefined ? undefined : resolve(source);
  if (url === undefined) return '';
  const alt = collapseWhitespace(attribs.alt ?? '').trim();
  // Without words a picture is decoration, unless the page sets it as a figure.
  if (alt === '' && !isFigure(box)) return '';
  return `![${alt.replace(/([[\]\\])/g, '\\$1')}](${destination(url)})`;
}

function isFigure(box: Box): boolean {
  for (let up = box.parent, level = 0; up !== undefined && level < 4; up = up.parent, level++)
    if (up.tag === 'figure') return true;
  return false;
}

const destination = (url: string): string => (/[\s()<>]/.test(url) ? url.replace(/[\s()<>]/g, encodeMark) : url);
const encodeMark = (mark: string): string => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

function verbatim(box: Box): string {
  const code = collapseWhitespace(rawText(box));
  const core = code.trim();
  if (core === '') return code;
  let ticks = '`';
  while (core.includes(ticks)) ticks += '`';
  const pad = core.startsWith('`') || core.endsWith('`') ? ' ' : '';
  const before = code.startsWith(' ') ? ' ' : '';
  const after = code.endsWith(' ') ? ' ' : '';
  return `${before}${ticks}${pad}${core}${pad}${ticks}${after}`;
}

/** Text as it stands in the page, line breaks of `br` and of line elements included. */
export function rawText(box: Box): string {
  let text = '';
  for (const child of box.children) {
    if (typeof child === 'string') text += child;
    else if (child.removed) continue;
    else if (child.tag === 'br') text += '\n';
    else if (child.block) {
      if (text !== '' && !text.endsWith('\n')) text += '\n';
      text += rawText(child);
      if (!text.endsWith('\n')) text += '\n';
    } else text += rawText(child);
  }
  return text;
}

const SPECIAL = /[\\`*_<~&[]/;

/** Only what Markdown would read as a mark is escaped: the text is also read by people and models. */
export function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replace(/[\\`*]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/~~/g, '\\~~')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/\](?=\()/g, '\\]');
}

/** A line of prose that would open a heading, quote, list or rule gets its first mark escaped. */
export function escapeLineStart(line: string): string {
  // No such mark is a letter.
  if (line.charCodeAt(0) >= 65 && line.charCodeAt(0) <= 122) return line;
  if (/^(#{1,6}(\s|$)|>|[-+](\s|$)|={3,}\s*$|-{2,}\s*$|\|)/.test(line)) return `\\${line}`;
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
