import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGunzip } from 'node:zlib';
import { AppError, type ErrorCode, toAppError } from '../../errors.ts';

export interface TextLimits {
  /** Bytes after decompression. */
  maxBytes: number;
  timeoutMs: number;
  contentType?: string;
}

const PIECE = 64 * 1024;
const MAX_LAYERS = 2;
const MAX_INNER = 10 * 1024 * 1024;

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Bytes → text, piece by piece: unzips what starts like gzip (whatever its name says), finds the encoding, and ends
 * with the code of the limit that was met, or undefined when all was read. A cut archive gives what it holds.
 */
export async function* readText(body: Uint8Array, limits: TextLimits): AsyncGenerator<string, ErrorCode | undefined> {
  const deadline = performance.now() + limits.timeoutMs;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let read = 0;
  let pieces = 0;
  try {
    for await (const piece of unzip(body, 0)) {
      const allowed = piece.subarray(0, Math.max(0, limits.maxBytes - read));
      read += piece.length;
      decoder ??= new TextDecoder(detectEncoding(allowed, limits.contentType));
      yield decoder.decode(allowed, { stream: true });
      if (read > limits.maxBytes) return isGzip(body) ? 'DECOMPRESSION_BOMB' : 'TOO_LARGE';
      if (performance.now() > deadline) return 'PARSE_TIMEOUT';
      // Long documents leave the event loop free for others.
      if (++pieces % 8 === 0) await nextTurn();
    }
    if (decoder !== undefined) yield decoder.decode();
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : toParseCode(error);
  }
}

const toParseCode = (error: unknown): ErrorCode => {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && code.startsWith('Z_') ? 'PARSE_FAILED' : toAppError(error).code;
};

async function* unzip(body: Uint8Array, layer: number): AsyncGenerator<Uint8Array> {
  if (!isGzip(body) || layer >= MAX_LAYERS) {
    for (let at = 0; at < body.length; at += PIECE) yield body.subarray(at, at + PIECE);
    return;
  }
  const gunzip = createGunzip({ chunkSize: PIECE, finishFlush: constants.Z_SYNC_FLUSH });
  // Fed in small pieces, and only as fast as it is read: a compression bomb never expands beyond the requested size.
  const feed = async () => {
    for (let at = 0; at < body.length && !gunzip.destroyed; at += PIECE)
      if (!gunzip.write(body.subarray(at, at + PIECE)))
        await new Promise<void>((resolve) => {
          gunzip.once('drain', resolve);
          gunzip.once('close', resolve);
        });
    if (!gunzip.destroyed) gunzip.end();
  };
  const fed = feed();
  let inner: Buffer[] | undefined;
  let innerSize = 0;
  let first = true;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      if (first && isGzip(piece)) inner = [];
      first = false;
      if (inner === undefined) yield piece;
      else {
        // An archive in an archive is compressed already, so it is small or it is hostile.
        innerSize += piece.length;
        if (innerSize > MAX_INNER)
          throw new AppError('DECOMPRESSION_BOMB', 'an archive within an archive is too large');
        inner.push(piece);
      }
    }
    if (inner !== undefined) yield* unzip(Buffer.concat(inner), layer + 1);
  } finally {
    gunzip.destroy();
    await fed;
  }
}

/** Byte order mark, then the header, then the XML declaration, then UTF-8 if it is valid, else Windows-1252. */
function detectEncoding(bytes: Uint8Array, contentType: string | undefined): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0x3c && bytes[1] === 0 && bytes[3] === 0) return 'utf-16le';
  if (bytes[0] === 0 && bytes[1] === 0x3c && bytes[2] === 0) return 'utf-16be';
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString('latin1');
  const named = [
    contentType?.match(/charset\s*=\s*["']?([^\s"';]+)/i)?.[1],
    head.match(/<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']/i)?.[1],
  ];
  const utf8 = isUtf8(bytes);
  for (const label of named) {
    if (label === undefined || /^utf-?16/i.test(label)) continue;
    const encoding = knownEncoding(label);
    if (encoding !== undefined && (encoding !== 'utf-8' || utf8)) return encoding;
  }
  return utf8 ? 'utf-8' : 'windows-1252';
}

function knownEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // `stream` lets the last character be cut by the end of the piece.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
