import { fitsBytes } from './chunk-bytes.ts';
import { type Piece, splitPieces } from './pieces.ts';
import type { ChunkOptions, TextChunk } from './types.ts';

interface Limits {
  size: number;
  overlap: number;
  min: number;
  /** Sections are kept apart where they are big enough. */
  sections: boolean;
}

/**
 * Cuts a text into passages of at most `size` tokens and 10 KB with their exact offsets in it.
 *
 * - markdown (default): a chunk ends with its section, or between paragraphs, or between sentences, in this order of
 *   preference. Sections under `min` tokens join the next one. Headings stay with what follows them.
 * - sentence: sentences in order, whatever the headings.
 * - sliding_window: windows of nearly `size` tokens, cut between words.
 *
 * All three keep code blocks and table rows whole. One that is longer than `size` makes a chunk of its own that is too
 * long; only beyond four chunks (and 2,048 tokens) is it cut, between lines. Overlap repeats the end of a chunk at the
 * start of the next one of the same section. Chunks cover everything but whitespace. Linear in the text.
 */
export function chunkText(text: string, options: ChunkOptions, countTokens: (text: string) => number): TextChunk[] {
  const strategy = options.strategy ?? 'markdown';
  const size = Math.max(1, Math.floor(options.size ?? 512));
  const limits: Limits = {
    size,
    overlap: Math.min(Math.max(0, options.overlap ?? 50), size >> 1),
    min: Math.min(Math.max(0, options.min ?? 50), size >> 1),
    sections: strategy === 'markdown',
  };
  const pieces = splitPieces(text, { size, countTokens, prose: strategy === 'sliding_window' ? 'words' : 'sentences' });
  const chunks: TextChunk[] = [];
  let overlap: Overlap = { start: -1, tokens: 0 };
  for (let from = 0; from < pieces.length; ) {
    const fits = overlap.start < 0 || fitsBytes(text, overlap.start, pieces[from]!.end);
    if (!fits || overlap.tokens + pieces[from]!.tokens > size) overlap = { start: -1, tokens: 0 };
    const start = overlap.start < 0 ? pieces[from]!.start : overlap.start;
    let to = fill(text, start, pieces, from, overlap.tokens, limits);
    let chunk = makeChunk(text, start, pieces.slice(from, to), countTokens);
    // Tokens of neighbours add up for the bundled model; with another counter the sum may be off.
    while (chunk.tokens > size && to > from + 1) chunk = makeChunk(text, start, pieces.slice(from, --to), countTokens);
    chunks.push(chunk);
    overlap = findOverlap(text, pieces, from, to, limits, countTokens);
    from = to;
  }
  return joinSmallTail(text, chunks, limits, countTokens);
}

/** How far a chunk that starts with piece `from`, or with an overlap before it, goes: the index after its last piece. */
function fill(
  text: string,
  start: number,
  pieces: readonly Piece[],
  from: number,
  used: number,
  limits: Limits,
): number {
  let filled = used + pieces[from]!.tokens;
  let content = pieces[from]!.kind !== 'heading';
  let at = from + 1;
  for (; at < pieces.length; at++) {
    const piece = pieces[at]!;
    if (filled + piece.tokens > limits.size || !fitsBytes(text, start, piece.end)) break;
    if (piece.kind === 'heading' && content && limits.sections) {
      if (filled >= limits.min) break;
      if (filled + withFollower(pieces, at, limits.size) > limits.size) break;
    }
    // Rather end with a paragraph than cut the next one, once the chunk is half full.
    const block = piece.blockTokens;
    if (block > 0 && block <= limits.size && filled + block > limits.size && content && filled >= limits.size / 2)
      break;
    filled += piece.tokens;
    content ||= piece.kind !== 'heading';
  }
  // A heading does not end a chunk when something follows it.
  if (limits.sections && at < pieces.length) {
    let last = at;
    while (last > from + 1 && pieces[last - 1]!.kind === 'heading') last--;
    if (last > from + 1 || pieces[from]!.kind !== 'heading') return last;
  }
  return at;
}

/** Tokens of a heading, the headings right after it, and the first piece under them. */
function withFollower(pieces: readonly Piece[], at: number, limit: number): number {
  let tokens = 0;
  for (; at < pieces.length && tokens <= limit; at++) {
    tokens += pieces[at]!.tokens;
    if (pieces[at]!.kind !== 'heading') break;
  }
  return tokens;
}

interface Overlap {
  /** Where the next chunk starts, or -1 when nothing is repeated. */
  start: number;
  tokens: number;
}

function findOverlap(
  text: string,
  pieces: readonly Piece[],
  from: number,
  to: number,
  { overlap, sections }: Limits,
  countTokens: (text: string) => number,
): Overlap {
  const found: Overlap = { start: -1, tokens: 0 };
  if (to >= pieces.length || (sections && pieces[to]!.kind === 'heading')) return found;
  let at = to - 1;
  for (; at > from; at--) {
    const piece = pieces[at]!;
    if (found.tokens + piece.tokens > overlap || (sections && piece.kind === 'heading')) break;
    found.start = piece.start;
    found.tokens += piece.tokens;
  }
  const piece = pieces[at]!;
  const left = overlap - found.tokens;
  if (at >= from && left > overlap / 2 && (piece.kind === 'prose' || piece.kind === 'list')) {
    const tail = tailStart(text, piece, left, countTokens);
    if (tail.start >= 0) return { start: tail.start, tokens: found.tokens + tail.tokens };
  }
  return found;
}

/** The last words of a piece, up to `left` tokens, but never the whole piece. */
function tailStart(text: string, piece: Piece, left: number, countTokens: (text: string) => number): Overlap {
  const found: Overlap = { start: -1, tokens: 0 };
  const words = [...text.slice(piece.start, piece.end).matchAll(/\S+/g)];
  for (let at = words.length - 1; at > 0; at--) {
    const tokens = countTokens(words[at]![0]);
    if (found.tokens + tokens > left) break;
    found.start = piece.start + words[at]!.index;
    found.tokens += tokens;
  }
  return found;
}

function makeChunk(
  text: string,
  start: number,
  pieces: readonly Piece[],
  countTokens: (text: string) => number,
): TextChunk {
  const end = pieces.at(-1)!.end;
  const content = text.slice(start, end);
  const shares = { prose: 0, code: 0, table: 0, list: 0 };
  for (const { kind, tokens } of pieces) if (kind !== 'heading') shares[kind] += tokens;
  const type = (Object.keys(shares) as (keyof typeof shares)[]).reduce((a, b) => (shares[b] > shares[a] ? b : a));
  const headingPath = (pieces.find((piece) => piece.kind !== 'heading') ?? pieces[0]!).path;
  return { start, end, content, tokens: countTokens(content), headingPath, type };
}

/** A last chunk under `min` tokens joins the one before it where both fit into one. */
function joinSmallTail(
  text: string,
  chunks: TextChunk[],
  { size, min }: Limits,
  countTokens: (text: string) => number,
): TextChunk[] {
  const last = chunks.at(-1);
  const before = chunks.at(-2);
  if (last === undefined || before === undefined || last.tokens >= min) return chunks;
  const content = text.slice(before.start, last.end);
  const tokens = countTokens(content);
  if (tokens > size || !fitsBytes(text, before.start, last.end)) return chunks;
  return [...chunks.slice(0, -2), { ...before, end: last.end, content, tokens }];
}
