import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';

/** An archive that can be read from any place: a file, or a blob. */
export interface ArchiveFile {
  name: string;
  size: number;
  /** From `start` up to but without `end`; absent: to its end. */
  read(start: number, end?: number): AsyncIterable<Uint8Array>;
}

/** Text compresses ten times, long runs of the same some fifty times; whatever goes beyond this holds no pages. */
const BOMB_RATIO = 200;
const BOMB_FROM = 64 * 1024 * 1024;
/** Bytes that are unpacked at a time; at most a thousand times as many come out. */
const STEP = 16 * 1024;

/** The bytes of a WARC file, plain or compressed; its first bytes decide. */
export async function* unpack(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    start = Buffer.concat([start, value]);
  }
  const all = (async function* () {
    yield start;
    for (;;) {
      const { done, value } = await pieces.next();
      if (done === true) return;
      yield value;
    }
  })();
  try {
    if (start[0] !== 0x1f || start[1] !== 0x8b) yield* all;
    else yield* gunzip(all);
  } finally {
    await pieces.return?.();
  }
}

/**
 * All members one after the other, a small piece at a time: what a piece unpacks to is all that is held. A stream that is cut short or
 * damaged gives what stands before that, but for its last 64 KB at most, then rejects with ARCHIVE_INVALID.
 */
async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [packed, unpacked] = [0, 0];
  const unzip = createGunzip({ chunkSize: 64 * 1024 });
  let ready: Buffer[] = [];
  unzip.on('data', (piece: Buffer) => {
    unpacked += piece.length;
    ready.push(piece);
  });
  // A step that fails is not called back: the stream closes instead.
  const failed = Promise.withResolvers<Error>();
  unzip.on('error', failed.resolve);
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  try {
    for await (const piece of source)
      for (let at = 0; at < piece.length; at += STEP) {
        const step = piece.subarray(at, at + STEP);
        packed += step.length;
        const error = await Promise.race([
          new Promise<void>((done) => unzip.write(step, () => done())),
          failed.promise,
        ]);
        yield* take();
        if (error !== undefined) throw error;
        if (unpacked > BOMB_FROM && unpacked > packed * BOMB_RATIO)
          throw new AppError('DECOMPRESSION_BOMB', `the archive holds more than ${BOMB_RATIO} times its size`);
      }
    unzip.end();
    await finished(unzip);
    yield* take();
  } catch (error) {
    yield* take();
    if (error instanceof AppError) throw error;
    throw new AppError('ARCHIVE_INVALID', `the archive cannot be decompressed: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    unzip.destroy();
  }
}
