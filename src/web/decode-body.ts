import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';
import { AppError } from '../errors.ts';
import { createGate, type Gate } from '../gate.ts';

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

const MAX_LAYERS = 3;
/** No page compresses better than this: what does is refused as a compression bomb, after its first bytes. */
const BOMB_RATIO = 25;
const BOMB_PROBE = 16 * 1024;
/** Small bodies are decoded at once, without a trip to another thread, as long as they stay small. */
const QUICK_INPUT = 64 * 1024;
const QUICK_OUTPUT = 1024 * 1024;
/** Large bodies decoded at the same time, in all: each may need the whole size limit in memory. */
const LARGE_AT_ONCE = 4;

interface Decoder {
  quick(body: Uint8Array, maxBytes: number): Buffer;
  slow(body: Uint8Array, maxBytes: number, done: (error: Error | null, decoded: Buffer) => void): void;
}

// A stream that was cut short gives what arrived, as browsers do.
const lenient = (maxOutputLength: number): ZlibOptions => ({ maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });

const gzipDecoder: Decoder = {
  quick: (body, maxBytes) => gunzipSync(body, lenient(maxBytes)),
  slow: (body, maxBytes, done) => gunzip(body, lenient(maxBytes), done),
};
const deflateDecoder: Decoder = {
  quick: (body, maxBytes) => (isZlib(body) ? inflateSync : inflateRawSync)(body, lenient(maxBytes)),
  slow: (body, maxBytes, done) => (isZlib(body) ? inflate : inflateRaw)(body, lenient(maxBytes), done),
};
const brotliDecoder: Decoder = {
  quick: (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength }),
  slow: (body, maxOutputLength, done) => brotliDecompress(body, { maxOutputLength }, done),
};
const zstdDecoder: Decoder = {
  quick: (body, maxOutputLength) => zstdDecompressSync(body, { maxOutputLength }),
  slow: (body, maxOutputLength, done) => zstdDecompress(body, { maxOutputLength }, done),
};

const DECODERS: Record<string, Decoder> = {
  gzip: gzipDecoder,
  'x-gzip': gzipDecoder,
  deflate: deflateDecoder,
  br: brotliDecoder,
  zstd: zstdDecoder,
};
/** Labels servers send that say nothing about the bytes. */
const NO_ENCODING = new Set(['', 'identity', 'none', 'binary', 'utf-8', 'utf8']);

/** Servers send raw deflate under the same name; the zlib header is a multiple of 31 and says method 8. */
const isZlib = (body: Uint8Array): boolean =>
  body.length > 1 && (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0;

const largeDecodes = createGate(LARGE_AT_ONCE);

/**
 * Undoes Content-Encoding, last layer first, never making more than `maxBytes`. `large` is entered before anything large
 * is made.
 */
export async function decodeBody(
  body: Uint8Array,
  contentEncoding: string,
  maxBytes: number,
  large: Gate = largeDecodes,
): Promise<Uint8Array> {
  const layers = contentEncoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !NO_ENCODING.has(name));
  if (layers.length > MAX_LAYERS)
    throw new AppError('ENCODING_UNSUPPORTED', `the body is encoded ${layers.length} times`);
  let decoded = body;
  for (const name of layers.reverse()) {
    const decoder = DECODERS[name];
    if (decoder === undefined) throw new AppError('ENCODING_UNSUPPORTED', `content encoding "${name}" is not known`);
    if (decoded.length > 0) decoded = await decodeLayer(decoder, decoded, maxBytes, large);
  }
  return decoded;
}

async function decodeLayer(decoder: Decoder, body: Uint8Array, maxBytes: number, large: Gate): Promise<Buffer> {
  if (body.length <= QUICK_INPUT) {
    try {
      return decoder.quick(body, Math.min(QUICK_OUTPUT, maxBytes));
    } catch (error) {
      if (!isOverflow(error)) throw broken(error);
    }
  }
  const leave = await large.enter();
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      decoder.slow(body, maxBytes, (error, decoded) => (error === null ? resolve(decoded) : reject(error)));
    });
  } catch (error) {
    if (!isOverflow(error)) throw broken(error);
    const code = isBomb(decoder, body) ? 'DECOMPRESSION_BOMB' : 'TOO_LARGE';
    throw new AppError(code, `${body.length} bytes decode to more than ${maxBytes}`, { cause: error });
  } finally {
    leave();
  }
}

function isBomb(decoder: Decoder, body: Uint8Array): boolean {
  const start = body.subarray(0, BOMB_PROBE);
  try {
    decoder.quick(start, start.length * BOMB_RATIO);
    return false;
  } catch (error) {
    return isOverflow(error);
  }
}

const isOverflow = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

const broken = (cause: unknown): AppError =>
  new AppError('RESPONSE_INVALID', `the body is not what its encoding says: ${(cause as Error).message}`, { cause });
