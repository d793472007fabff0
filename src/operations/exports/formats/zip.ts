import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

/** Version 4.5: what a reader needs for sizes and offsets of 64 bits. */
const VERSION = 45;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const DEFLATED = 8;
const ALL_ONES = 0xffff_ffff;

export interface ZipFile {
  /** A safe relative path: see file-name.ts. */
  name: string;
  content: string;
  modified: Date;
}

/**
 * A zip archive, a file at a time. Each file is in memory while it is compressed; of those before it only the entries of the
 * directory are kept, some 120 bytes each. Sizes and offsets are zip64 throughout, so that no limit is met on the way.
 */
export async function* writeZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, content, modified } of files) {
    const bytes = Buffer.from(content, 'utf8');
    const packed = await deflate(bytes);
    const path = Buffer.from(name, 'utf8');
    const entry = describe(bytes, packed.length, modified);
    directory.push(centralEntry(path, entry, offset));
    const local = localHeader(path, entry);
    offset += local.length + packed.length;
    yield Buffer.concat([local, packed]);
  }
  const start = offset;
  for (const entry of directory) offset += entry.length;
  // In pieces: a million entries are no single buffer.
  for (let at = 0; at < directory.length; at += 10_000) yield Buffer.concat(directory.slice(at, at + 10_000));
  yield endRecords(directory.length, offset - start, start);
}

interface Entry {
  crc: number;
  size: number;
  packed: number;
  time: number;
  date: number;
}

function describe(bytes: Buffer, packed: number, modified: Date): Entry {
  const year = Math.min(127, Math.max(0, modified.getUTCFullYear() - 1980));
  return {
    crc: crc32(bytes),
    size: bytes.length,
    packed,
    time: (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1),
    date: (year << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate(),
  };
}

/** From the version needed to the length of the name: the same in both headers. */
function common({ crc, time, date }: Entry, path: Buffer, extra: number): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(VERSION, 0);
  bytes.writeUInt16LE(FLAGS, 2);
  bytes.writeUInt16LE(DEFLATED, 4);
  bytes.writeUInt16LE(time, 6);
  bytes.writeUInt16LE(date, 8);
  bytes.writeUInt32LE(crc, 10);
  bytes.writeUInt32LE(ALL_ONES, 14);
  bytes.writeUInt32LE(ALL_ONES, 18);
  bytes.writeUInt16LE(path.length, 22);
  bytes.writeUInt16LE(extra, 24);
  return bytes;
}

/** The zip64 field: sizes, and in the directory the offset too. */
function zip64(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + values.length * 8);
  bytes.writeUInt16LE(1, 0);
  bytes.writeUInt16LE(values.length * 8, 2);
  for (const [at, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 4 + at * 8);
  return bytes;
}

const signature = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
};

function localHeader(path: Buffer, entry: Entry): Buffer {
  const extra = zip64([entry.size, entry.packed]);
  return Buffer.concat([signature(0x0403_4b50), common(entry, path, extra.length), path, extra]);
}

function centralEntry(path: Buffer, entry: Entry, offset: number): Buffer {
  const extra = zip64([entry.size, entry.packed, offset]);
  const madeBy = Buffer.from([VERSION, 0]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(ALL_ONES, 10);
  return Buffer.concat([signature(0x0201_4b50), madeBy, common(entry, path, extra.length), rest, path, extra]);
}

function endRecords(entries: number, size: number, start: number): Buffer {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x0606_4b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(VERSION, 12);
  record.writeUInt16LE(VERSION, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22, 0xff);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt32LE(0, 4);
  end.writeUInt16LE(0, 20);
  return Buffer.concat([record, locator, end]);
}
