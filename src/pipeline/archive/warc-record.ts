import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

const compress = promisify(gzip);
/** Smaller ones are compressed at once: a trip to another thread would take longer. */
const QUICK = 32 * 1024;

export type WarcType = 'warcinfo' | 'request' | 'response' | 'revisit' | 'metadata';

export interface WarcFields {
  type: WarcType;
  /** A UUID. */
  id: string;
  date: Date;
  contentType: string;
  block: Uint8Array;
  /** Further header fields; undefined ones are left out. */
  more?: Record<string, string | undefined>;
}

/** One record of WARC 1.1 as a gzip member of its own, so that a reader may start at any of them. */
export async function writeRecord({ type, id, date, contentType, block, more = {} }: WarcFields): Promise<Uint8Array> {
  const fields: [string, string | undefined][] = [
    ['WARC-Type', type],
    ['WARC-Record-ID', recordUri(id)],
    ['WARC-Date', date.toISOString()],
    ...Object.entries(more),
    ['WARC-Block-Digest', digestOf(block)],
    ['Content-Type', contentType],
    ['Content-Length', String(block.length)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${oneLine(value)}\r\n`]));
  const record = Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`), block, Buffer.from('\r\n\r\n')]);
  return record.length <= QUICK ? gzipSync(record) : compress(record);
}

export const recordUri = (id: string) => `<urn:uuid:${id}>`;

/** SHA-1 in base 32: what indexes of archives go by. */
export const digestOf = (bytes: Uint8Array) => `sha1:${toBase32(createHash('sha1').update(bytes).digest())}`;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Without padding: the 20 bytes of a SHA-1 need none. */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += LETTERS[(held >> bits) & 31];
    }
  }
  return text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin another field
const oneLine = (value: string) => value.replace(/[\u0000-\u001f\u007f]+/g, ' ');
