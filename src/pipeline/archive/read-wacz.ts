import { AppError } from '../../errors.ts';
import type { ArchiveFile } from './archive-file.ts';

/** WARC files lie in this folder of a WACZ file; nothing else of it is read, and nothing is ever written under these names. */
const WARC_NAME = /^archive\/[^/\\]+\.warc(\.gz)?$/;
const MAX_ENTRIES = 100_000;
/** The directory of the zip is read as a whole. */
const MAX_READ = 64 * 1024 * 1024;
const BOMB_RATIO = 200;
const BOMB_FROM = 64 * 1024 * 1024;

export interface WaczPart {
  name: string;
  open(): AsyncIterable<Uint8Array>;
}

/** The WARC files of a WACZ file. One that would unpack to far more than its size is refused: DECOMPRESSION_BOMB. */
export async function* readWacz(file: ArchiveFile): AsyncGenerator<WaczPart> {
  const { configure, Reader, ZipReader } = await import('@zip.js/zip.js');
  configure({ useWebWorkers: false });
  class FileReader extends Reader<ArchiveFile> {
    override size = file.size;
    override async readUint8Array(start: number, length: number): Promise<Uint8Array> {
      if (length > MAX_READ) throw new AppError('ARCHIVE_INVALID', 'the directory of the zip file is too large');
      const parts: Uint8Array[] = [];
      for await (const part of file.read(start, Math.min(file.size, start + length))) parts.push(part);
      return Buffer.concat(parts);
    }
  }
  const zip = new ZipReader(new FileReader(file), { filenameValidation: 'tolerant' });
  try {
    let count = 0;
    for await (const entry of zip.getEntriesGenerator()) {
      if (++count > MAX_ENTRIES)
        throw new AppError('ARCHIVE_INVALID', `the zip file has more than ${MAX_ENTRIES} files`);
      if (entry.directory || !WARC_NAME.test(entry.filename)) continue;
      const { uncompressedSize: size, compressedSize: packed } = entry;
      if (size > BOMB_FROM && size > packed * BOMB_RATIO)
        throw new AppError('DECOMPRESSION_BOMB', `${entry.filename} holds more than ${BOMB_RATIO} times its size`);
      yield { name: entry.filename, open: () => stream((target) => entry.getData(target)) };
    }
  } catch (error) {
    throw damaged(error);
  } finally {
    await zip.close();
  }
}

/** What is written, as it is pulled. A reader that stops early ends the writing. */
async function* stream(write: (target: WritableStream<Uint8Array>) => Promise<unknown>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  let failure: unknown;
  const writing = write(writable).catch(async (error: unknown) => {
    failure = error;
    await writable.abort(error).catch(() => {});
  });
  try {
    for await (const piece of readable) yield piece;
  } catch (error) {
    throw damaged(failure ?? error);
  } finally {
    await writing;
  }
}

const damaged = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError('ARCHIVE_INVALID', `the zip file cannot be read: ${(error as Error).message}`, { cause: error });
