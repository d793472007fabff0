import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompress } from 'node:zlib';

/**
 * A pack is a file of blocks; a block holds some blobs, compressed together, since pages of one site share most of
 * their bytes. All numbers are little-endian.
 *
 *   block   magic u32 · header crc32 u32 · count u32 · payload length u32 · home u48 · pad u16 · entries · payload
 *   entry   first 16 bytes of the SHA-256 · length u32
 *
 * `home` is the offset at which the block was first written. It is part of every reference and never changes; when a
 * pack is rewritten without its dead blobs, blocks move and keep their home. A blob that is gone leaves an
 * entry of zeros, so that the numbers of its neighbours stay.
 */
const MAGIC = 0x42523443;
const FIXED_BYTES = 24;
const ENTRY_BYTES = 20;
const HASH_BYTES = 16;
export const GONE = '0'.repeat(2 * HASH_BYTES);
export const MAX_ENTRIES = 128;
const SMALL_READ = FIXED_BYTES + MAX_ENTRIES * ENTRY_BYTES;

export interface Blob {
  /** First 16 bytes of the SHA-256, as hex. */
  hash: string;
  bytes: Uint8Array;
}

export interface Block {
  /** Where it is in the file now. */
  offset: number;
  home: number;
  /** Bytes it takes in the file, header included. */
  size: number;
  headerSize: number;
  entries: { hash: string; length: number }[];
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** Large output chunks: each costs a trip to the thread pool and back. */
const LEVEL = { chunkSize: 256 * 1024, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Payloads are made first, several at once; the header needs to know where its block begins. */
export const compressBlobs = (blobs: readonly Blob[]): Promise<Buffer> =>
  compress(Buffer.concat(blobs.map((blob) => blob.bytes)), LEVEL);

export function makeHeader(blobs: readonly Blob[], payloadBytes: number, home: number): Buffer {
  const header = Buffer.alloc(FIXED_BYTES + blobs.length * ENTRY_BYTES);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt32LE(blobs.length, 8);
  header.writeUInt32LE(payloadBytes, 12);
  header.writeUIntLE(home, 16, 6);
  for (const [index, blob] of blobs.entries()) {
    const at = FIXED_BYTES + index * ENTRY_BYTES;
    header.write(blob.hash, at, 'hex');
    header.writeUInt32LE(blob.bytes.length, at + HASH_BYTES);
  }
  header.writeUInt32LE(crc32(header.subarray(8)), 4);
  return header;
}

/** The block that starts at `offset`, or undefined when none does: the end of the file, or a torn write. */
export async function readHeader(file: FileHandle, offset: number, fileSize: number): Promise<Block | undefined> {
  if (offset + FIXED_BYTES > fileSize) return undefined;
  const header = Buffer.alloc(Math.min(SMALL_READ, fileSize - offset));
  const { bytesRead } = await file.read(header, 0, header.length, offset);
  if (bytesRead < FIXED_BYTES || header.readUInt32LE(0) !== MAGIC) return undefined;
  const count = header.readUInt32LE(8);
  const headerSize = FIXED_BYTES + count * ENTRY_BYTES;
  if (count > MAX_ENTRIES || headerSize > bytesRead) return undefined;
  if (crc32(header.subarray(8, headerSize)) !== header.readUInt32LE(4)) return undefined;
  const size = headerSize + header.readUInt32LE(12);
  if (offset + size > fileSize) return undefined;
  const entries = Array.from({ length: count }, (_, index) => {
    const at = FIXED_BYTES + index * ENTRY_BYTES;
    return { hash: header.toString('hex', at, at + HASH_BYTES), length: header.readUInt32LE(at + HASH_BYTES) };
  });
  return { offset, home: header.readUIntLE(16, 6), size, headerSize, entries };
}

/** The bytes of every blob of a block, in order. */
export async function readBlock(file: FileHandle, block: Block): Promise<Buffer[]> {
  const payload = Buffer.alloc(block.size - block.headerSize);
  await file.read(payload, 0, payload.length, block.offset + block.headerSize);
  const raw = await decompress(payload);
  let at = 0;
  return block.entries.map(({ length }) => {
    at += length;
    return raw.subarray(at - length, at);
  });
}

/** Every whole block, first to last. */
export async function* scanPack(path: string): AsyncGenerator<{ block: Block; file: FileHandle }> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  for (let offset = 0; ; ) {
    const block = await readHeader(file, offset, size);
    if (block === undefined) return;
    yield { block, file };
    offset += block.size;
  }
}
