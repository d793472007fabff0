import { AppError, type ErrorCode, toAppError } from '../../errors.ts';
import { parseUrl } from '../../web/url.ts';
import { chooseFormat } from '../extract/content-type.ts';
import { judgeResponse } from '../fetch/judge-response.ts';
import { type ArchiveFile, unpack } from './archive-file.ts';
import { type HttpMessage, parseHttpMessage } from './http-message.ts';
import { readWacz } from './read-wacz.ts';
import { readWarc, type WarcRecord } from './read-warc.ts';

/** A page of an archive, as it would have come from its site. */
export interface ArchivedPage {
  kind: 'page';
  /** Normalised. */
  url: string;
  domain: string;
  /** WARC-Date. */
  date: Date;
  status: number;
  headers: Record<string, string>;
  /** Undefined for a revisit: the bytes are those of the record with the same payload. */
  body: Uint8Array | undefined;
  /** As the archive gives it, to find the bytes of a revisit by. */
  payload: string | undefined;
}

/** What one record comes to. `ignored`: it holds no page, such as a request or a redirect. */
export type ArchiveItem =
  | ArchivedPage
  | { kind: 'refused'; url: string; code: ErrorCode; message: string }
  | { kind: 'ignored' };

/** Around the body: the header of the response, and the marks of its chunks. */
const BLOCK_EXTRA = 1024 * 1024;
const TYPES = ['response', 'resource', 'revisit'];
/** Parts of pages that are text, and not worth searching. */
const SUBRESOURCE = /^(?:text\/css|(?:text|application)\/(?:x-)?(?:java|ecma)script)\b/i;
const OLDEST = Date.UTC(1990, 0, 1);
const CLOCKS_MS = 86_400_000;

/** Every record of a WARC or WACZ file, in order. Rejects where the file is damaged, after what stands before the damage. */
export async function* readArchive(file: ArchiveFile, maxBytes: number): AsyncGenerator<ArchiveItem> {
  const first = await readStart(file);
  if (first.length === 0) throw new AppError('ARCHIVE_INVALID', 'the file is empty');
  if (first.toString('latin1', 0, 4) === 'PK\u0003\u0004') {
    let parts = 0;
    for await (const part of readWacz(file)) {
      parts++;
      yield* readRecords(part.open(), maxBytes);
    }
    if (parts === 0) throw new AppError('ARCHIVE_INVALID', 'the zip file has no WARC files in a folder named archive');
    return;
  }
  if (first.toString('latin1', 0, 5) !== 'WARC/' && !(first[0] === 0x1f && first[1] === 0x8b))
    throw new AppError('ARCHIVE_INVALID', 'the file is no WARC and no WACZ file');
  yield* readRecords(file.read(0), maxBytes);
}

async function readStart(file: ArchiveFile): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of file.read(0, Math.min(8, file.size))) parts.push(part);
  return Buffer.concat(parts);
}

async function* readRecords(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<ArchiveItem> {
  for await (const record of readWarc(unpack(source), { types: TYPES, maxBlock: maxBytes + BLOCK_EXTRA }))
    yield await toItem(record, maxBytes);
}

async function toItem(record: WarcRecord, maxBytes: number): Promise<ArchiveItem> {
  if (!TYPES.includes(record.type)) return { kind: 'ignored' };
  const target = (record.headers.get('warc-target-uri') ?? '').replace(/^<|>$/g, '');
  if (!/^https?:/i.test(target)) return { kind: 'ignored' };
  try {
    return await toPage(record, target, maxBytes);
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    return { kind: 'refused', url: target.slice(0, 2_048).toWellFormed(), code, message };
  }
}

async function toPage(record: WarcRecord, target: string, maxBytes: number): Promise<ArchiveItem> {
  const parsed = parseUrl(target);
  if (!parsed.ok) throw new AppError(parsed.code, parsed.reason);
  if (new URL(parsed.url).pathname === '/robots.txt') return { kind: 'ignored' };
  const revisit = record.type === 'revisit';
  if (revisit && /server-not-modified/i.test(record.headers.get('warc-profile') ?? '')) return { kind: 'ignored' };
  if (record.block === undefined) throw new AppError('TOO_LARGE', `the record has ${record.length} bytes`);
  const date = readDate(record.headers.get('warc-date'));
  const message: HttpMessage =
    record.type === 'resource'
      ? { status: 200, headers: { 'content-type': record.headers.get('content-type') ?? '' }, body: record.block }
      : await parseHttpMessage(record.block, maxBytes);
  const { status, headers, body } = message;
  if ((status >= 300 && status < 400) || status < 200) return { kind: 'ignored' };
  judgeResponse({ ...message, url: parsed.url, redirects: [], timings: { firstByteMs: 0, totalMs: 0 } });
  const type = headers['content-type'];
  if (body.length > maxBytes) throw new AppError('TOO_LARGE', `the body is larger than ${maxBytes} bytes`);
  if (SUBRESOURCE.test(type ?? '')) throw new AppError('CONTENT_TYPE_UNSUPPORTED', `${type} is a part of pages`);
  if (!revisit) chooseFormat(body, type, parsed.url);
  const payload = record.headers.get('warc-payload-digest');
  const { url, domain } = parsed;
  return { kind: 'page', url, domain, date, status, headers, body: revisit ? undefined : body, payload };
}

/** When the page was fetched. A page from the future could never be replaced; clocks may differ by a little. */
function readDate(text: string | undefined): Date {
  const time = Date.parse(text ?? '');
  if (!(time >= OLDEST)) throw new AppError('ARCHIVE_INVALID', 'the record does not say when it was made');
  if (time > Date.now() + CLOCKS_MS) throw new AppError('ARCHIVE_INVALID', 'the record is from the future');
  return new Date(time);
}
