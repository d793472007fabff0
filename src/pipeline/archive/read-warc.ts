import { AppError } from '../../errors.ts';
import { ByteReader } from './byte-reader.ts';

export interface WarcRecord {
  /** Lower case: response, resource, revisit, request … */
  type: string;
  /** Names in lower case; of a repeated field the first counts. */
  headers: ReadonlyMap<string, string>;
  /** Undefined when it is larger than was asked for, or of a type that was not asked for. */
  block: Buffer | undefined;
  length: number;
}

export interface WarcReadOptions {
  /** Blocks of these types are given, others are passed over. */
  types: readonly string[];
  maxBlock: number;
}

/** The header of a record may be so long; a real one has some hundred bytes. */
const MAX_HEADER = 64 * 1024;
const HEADER_END = Buffer.from('\r\n\r\n');
const CR = 0x0d;
const LF = 0x0a;

/**
 * The records of a WARC file, in their order. Where the file is damaged (cut short, a length that lies, no header), what was read
 * before is given and then it rejects with ARCHIVE_INVALID: behind a wrong length nothing can be trusted.
 */
export async function* readWarc(
  source: AsyncIterable<Uint8Array>,
  options: WarcReadOptions,
): AsyncGenerator<WarcRecord> {
  const reader = new ByteReader(source);
  try {
    for (;;) {
      let next = await reader.peek();
      while (next === CR || next === LF) {
        await reader.skip(1);
        next = await reader.peek();
      }
      if (next === undefined) return;
      yield await readRecord(reader, options);
    }
  } finally {
    await reader.close();
  }
}

async function readRecord(reader: ByteReader, { types, maxBlock }: WarcReadOptions): Promise<WarcRecord> {
  const start = reader.position;
  const damaged = (what: string) =>
    new AppError('ARCHIVE_INVALID', `${what}, at byte ${start} of what was compressed`, { details: { offset: start } });
  const first = await reader.read(5);
  if (first.toString('latin1') !== 'WARC/') throw damaged('there is no WARC record');
  const header = await reader.readThrough(HEADER_END, MAX_HEADER);
  if (header === undefined) throw damaged('the header of a record does not end');
  const headers = parseFields(header.toString('utf8'));
  const length = headers.get('content-length') ?? '';
  if (!/^\d{1,15}$/.test(length)) throw damaged('a record does not say how long it is');
  const type = (headers.get('warc-type') ?? '').toLowerCase();
  const wanted = types.includes(type) && Number(length) <= maxBlock;
  const block = wanted ? await reader.read(Number(length)) : undefined;
  const had = block?.length ?? (await reader.skip(Number(length)));
  if (had < Number(length)) throw damaged('the file ends within a record');
  const end = await reader.peek();
  if (end !== undefined && end !== CR && end !== LF) throw damaged('a record is longer than it says');
  return { type, headers, block, length: Number(length) };
}

/** Fields of a header, a line each; a line that begins with whitespace goes on with the one before. */
function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  let last: string | undefined;
  for (const line of text.split('\r\n').slice(1)) {
    if (last !== undefined && (line.startsWith(' ') || line.startsWith('\t'))) {
      fields.set(last, `${fields.get(last)} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    last = fields.has(name) ? undefined : name;
    if (last !== undefined) fields.set(last, line.slice(colon + 1).trim());
  }
  return fields;
}
