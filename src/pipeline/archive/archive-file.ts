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

/** The bytes of a WARC file, plain or compressed; its first bytes decide. */
export async function* unpack(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return;
  const all = (async function* () {
    yield first.value;
    for (;;) {
      const { done, value } = await pieces.next();
      if (done === true) return;
      yield value;
    }
  })();
  try {
    if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) yield* all;
    else yield* gunzip(all);
  } finally {
    await pieces.return?.();
  }
}

/** All members one after the other. A stream that is cut short gives what it has, then rejects with ARCHIVE_INVALID. */
async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [packed, unpacked] = [0, 0];
  const unzip = createGunzip({ chunkSize: 64 * 1024 });
  const feeding = (async () => {
    for await (const piece of source) {
      packed += piece.length;
      if (!unzip.write(piece))
        await new Promise<void>((resolve) => unzip.once('drain', resolve).once('close', resolve));
      if (unzip.destroyed) return;
    }
    unzip.end();
  })().catch((error: Error) => void unzip.destroy(error));
  try {
    for await (const piece of unzip) {
      unpacked += piece.length;
      if (unpacked > BOMB_FROM && unpacked > packed * BOMB_RATIO)
        throw new AppError('DECOMPRESSION_BOMB', `the archive holds more than ${BOMB_RATIO} times its size`);
      yield piece;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('ARCHIVE_INVALID', `the archive cannot be decompressed: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    unzip.destroy();
    await feeding;
  }
}
