import { type Block, type BlockKind, splitBlocks } from './blocks.ts';
import { fitsBytes, MAX_CHUNK_BYTES } from './chunk-bytes.ts';

/** The smallest part a chunk is made of: a heading, a sentence, a list item, a table row, a code block. */
export interface Piece {
  start: number;
  end: number;
  tokens: number;
  kind: BlockKind;
  /** The headings above it, its own included when it is one. */
  path: string[];
  /** The tokens of the whole block, on its first piece; 0 on the others. */
  blockTokens: number;
}

export interface PieceOptions {
  size: number;
  /** Running text is cut into sentences, or into groups of a few words. */
  prose: 'sentences' | 'words';
  countTokens: (text: string) => number;
}

type Span = [start: number, end: number];

/**
 * A code block stays whole however long it is, up to this many tokens (or four chunks): beyond it no model would ever
 * see its end, so it is cut between lines. The same limit holds for one table row.
 */
const WHOLE_UP_TO = 2048;

export function splitPieces(text: string, options: PieceOptions): Piece[] {
  const pieces: Piece[] = [];
  const stack: { level: number; title: string }[] = [];
  let path: string[] = [];
  for (const block of splitBlocks(text)) {
    if (block.kind === 'heading') {
      while (stack.length > 0 && stack.at(-1)!.level >= block.level!) stack.pop();
      stack.push({ level: block.level!, title: block.title! });
      path = stack.map((heading) => heading.title).filter((title) => title !== '');
    }
    const first = pieces.length;
    let total = 0;
    for (const [start, end] of splitBlock(text, block, options)) {
      const tokens = options.countTokens(text.slice(start, end));
      pieces.push({ start, end, tokens, kind: block.kind, path, blockTokens: 0 });
      total += tokens;
    }
    if (pieces.length > first) pieces[first]!.blockTokens = total;
  }
  return pieces;
}

function splitBlock(text: string, block: Block, options: PieceOptions): Span[] {
  const fits = ([start, end]: Span, limit: number) =>
    fitsBytes(text, start, end) && options.countTokens(text.slice(start, end)) <= limit;
  const whole: Span = [block.start, block.end];
  const cap = Math.max(WHOLE_UP_TO, options.size * 4);
  const words = (span: Span) => groupWords(text, span, options);

  if (block.kind === 'table') return block.rows!.flatMap((row) => (fits(row, cap) ? [row] : words(row)));
  if (block.kind === 'code') {
    if (fits(whole, cap)) return [whole];
    return groupSpans(text, lineSpans(text, whole), options.size, options.countTokens).flatMap((lines) =>
      fits(lines, cap) ? [lines] : words(lines),
    );
  }
  if (block.kind === 'heading') return fits(whole, options.size) ? [whole] : words(whole);
  if (options.prose === 'words') return words(whole);
  return sentenceSpans(text, whole).flatMap((sentence) => {
    if (fits(sentence, options.size)) return [sentence];
    return lineSpans(text, sentence).flatMap((line) => (fits(line, options.size) ? [line] : words(line)));
  });
}

const SENTENCE_END = /[.!?…]+["'”’»)\]*_]*|[。！？｡]+["”’』」）]*/g;
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|[A-Z]\p{L}|e\.g|i\.e|etc|vs|cf|approx|Mrs|Inc|Ltd|Fig|No|St|bzw|z\.B|usw)\.$/u;

/** Sentences of a paragraph, without the white space between them. */
function sentenceSpans(text: string, [start, end]: Span): Span[] {
  const spans: Span[] = [];
  const paragraph = text.slice(start, end);
  let from = 0;
  for (const match of paragraph.matchAll(SENTENCE_END)) {
    const to = match.index + match[0].length;
    if (/^[.!?…]/.test(match[0]) && /\S/.test(paragraph[to] ?? ' ')) continue;
    if (match[0] === '.' && ABBREVIATION.test(paragraph.slice(Math.max(from, to - 8), to))) continue;
    addTrimmed(spans, text, start + from, start + to);
    from = to;
  }
  addTrimmed(spans, text, start + from, end);
  return spans;
}

function lineSpans(text: string, [start, end]: Span): Span[] {
  const spans: Span[] = [];
  for (let from = start; from < end; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 || newline > end ? end : newline;
    if (text.slice(from, to).trim() !== '') spans.push([from, to]);
    from = to + 1;
  }
  return spans;
}

/** Words in groups small enough that a chunk can be filled well; a word too long for a chunk is cut. */
function groupWords(text: string, [start, end]: Span, { size, prose, countTokens }: PieceOptions): Span[] {
  const limit = Math.max(1, Math.floor(size / (prose === 'words' ? 32 : 8)));
  const words: Span[] = [];
  for (const match of text.slice(start, end).matchAll(/\S+/g)) {
    const from = start + match.index;
    cutLong(text, [from, from + match[0].length], size, countTokens, words);
  }
  return groupSpans(text, words, limit, countTokens);
}

function cutLong(text: string, [start, end]: Span, size: number, countTokens: (text: string) => number, out: Span[]) {
  const tokens = end - start <= 2 ? 0 : countTokens(text.slice(start, end));
  if (tokens <= size && fitsBytes(text, start, end)) {
    out.push([start, end]);
    return;
  }
  const parts = Math.max(tokens / size, ((end - start) * 3) / MAX_CHUNK_BYTES);
  const step = Math.max(1, Math.ceil((end - start) / (Math.ceil(parts) + 1)));
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + step);
    if (to < end && /[\udc00-\udfff]/.test(text[to]!)) to++;
    cutLong(text, [from, to], size, countTokens, out);
    from = to;
  }
}

/** Joins neighbours while they stay within a limit. */
function groupSpans(
  text: string,
  spans: readonly Span[],
  limit: number,
  countTokens: (text: string) => number,
): Span[] {
  const groups: Span[] = [];
  let filled = 0;
  for (const [start, end] of spans) {
    const tokens = countTokens(text.slice(start, end));
    const group = groups.at(-1);
    if (group !== undefined && filled + tokens <= limit && fitsBytes(text, group[0], end)) {
      group[1] = end;
      filled += tokens;
    } else {
      groups.push([start, end]);
      filled = tokens;
    }
  }
  return groups;
}

function addTrimmed(spans: Span[], text: string, start: number, end: number): void {
  const part = text.slice(start, end);
  const trimmed = part.trim();
  // The start of a list item keeps its indentation: it says how deep the item is.
  const lead = spans.length === 0 ? 0 : part.length - part.trimStart().length;
  if (trimmed !== '') spans.push([start + lead, start + part.trimEnd().length]);
}
