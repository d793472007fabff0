import { unlink } from '../../text/markdown-links.ts';
import { stripEnd } from '../../text/strip-end.ts';

export type BlockKind = 'heading' | 'prose' | 'code' | 'table' | 'list';

export interface Block {
  kind: BlockKind;
  start: number;
  end: number;
  /** Of a heading: 1 to 6, and its words. */
  level?: number;
  title?: string;
  /** Of a table: where its rows start and end. The head and the line under it are one. */
  rows?: [start: number, end: number][];
}

interface Line {
  start: number;
  end: number;
  text: string;
}

// No two neighbouring parts of these may match the same characters: a long line would take quadratic time.
const FENCE = /^([ \t]*(?:>[ \t]*)*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;
const INDENTED = /^(?: {4}|\t)/;

/**
 * Cuts Markdown into its blocks in one pass over the lines: headings, fenced and indented code, tables, list items,
 * and paragraphs. All text but whitespace is in exactly one block.
 */
export function splitBlocks(text: string): Block[] {
  const lines = splitLines(text);
  const blocks: Block[] = [];
  let open: Block | undefined;
  let openLines = 0;
  const close = () => {
    open = undefined;
  };
  const add = (block: Block): Block => {
    blocks.push(block);
    return block;
  };

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.text.trim() === '') {
      close();
      continue;
    }
    const fence = FENCE.exec(line.text);
    if (fence !== null) {
      close();
      const last = fenceEnd(lines, at, fence[2]!, fence[1]!.includes('>'));
      add({ kind: 'code', start: line.start, end: lines[last]!.end });
      at = last;
      continue;
    }
    const heading = HEADING.exec(line.text);
    if (heading !== null) {
      close();
      const title = plainTitle(line.text.slice(heading[0].length));
      add({ kind: 'heading', start: line.start, end: line.end, level: heading[1]!.length, title });
      continue;
    }
    const underline = open?.kind === 'prose' && openLines === 1 ? UNDERLINE.exec(line.text) : null;
    if (open !== undefined && underline !== null) {
      open.kind = 'heading';
      open.level = underline[1]!.startsWith('=') ? 1 : 2;
      open.title = plainTitle(text.slice(open.start, open.end));
      open.end = line.end;
      close();
      continue;
    }
    const next = lines[at + 1];
    if (
      next !== undefined &&
      line.text.includes('|') &&
      next.text.includes('|') &&
      DELIMITER_ROW.test(next.text.trim())
    ) {
      close();
      const last = tableEnd(lines, at + 1);
      const rows: [number, number][] = [[line.start, next.end]];
      for (let row = at + 2; row <= last; row++) rows.push([lines[row]!.start, lines[row]!.end]);
      add({ kind: 'table', start: line.start, end: lines[last]!.end, rows });
      at = last;
      continue;
    }
    if (ITEM.test(line.text)) {
      open = add({ kind: 'list', start: line.start, end: line.end });
      continue;
    }
    if (open !== undefined) {
      open.end = line.end;
      openLines++;
      continue;
    }
    const previous = blocks.at(-1);
    if (INDENTED.test(line.text) && previous?.kind !== 'list') {
      // Indented code goes on over blank lines.
      if (previous?.kind === 'code' && INDENTED.test(text.slice(previous.start, previous.start + 4))) {
        previous.end = line.end;
      } else add({ kind: 'code', start: line.start, end: line.end });
      continue;
    }
    const kind = previous?.kind === 'list' && /^[ \t]{2}|^\t/.test(line.text) ? 'list' : 'prose';
    open = add({ kind, start: line.start, end: line.end });
    openLines = 1;
  }
  return blocks;
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const stop = newline < 0 ? text.length : newline;
    const end = stop > start && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
    lines.push({ start, end, text: text.slice(start, end) });
    start = stop + 1;
  }
  return lines;
}

/** The line that closes a fence: as long as the one that opened it, or the last of a quote, or the end of the text. */
function fenceEnd(lines: readonly Line[], from: number, mark: string, quoted: boolean): number {
  const closing = new RegExp(`^[ \\t>]*${mark[0]}{${mark.length},}[ \\t]*$`);
  for (let at = from + 1; at < lines.length; at++) {
    if (quoted && !/^[ \t]*>/.test(lines[at]!.text)) return at - 1;
    if (closing.test(lines[at]!.text)) return at;
  }
  return lines.length - 1;
}

function tableEnd(lines: readonly Line[], from: number): number {
  for (let at = from + 1; at < lines.length; at++) {
    const { text } = lines[at]!;
    if (text.trim() === '' || HEADING.test(text) || FENCE.test(text)) return at - 1;
  }
  return lines.length - 1;
}

/** `## Words ##`: the marks at the end count when they stand alone. */
function withoutClosingMarks(title: string): string {
  const bare = stripEnd(title, /#/);
  return bare === '' || /[ \t]$/.test(bare) ? bare : title;
}

/** A heading's words without its Markdown; its closing marks are none of them. */
function plainTitle(markdown: string): string {
  return unlink(withoutClosingMarks(markdown.trim().slice(0, 300)))
    .replace(/[`*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
