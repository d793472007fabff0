import { AppError } from '../../errors.ts';
import { decodeBody } from '../../web/decode-body.ts';

export interface HttpMessage {
  status: number;
  /** Lower-case names; repeated fields joined by a comma and a space. */
  headers: Record<string, string>;
  /** As the site meant it: without the encodings of the transfer. */
  body: Uint8Array;
}

const MAX_HEADER = 64 * 1024;
const STATUS = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/i;

/** Reads the response of a record. `maxBytes` is the limit of a body, encoded and decoded, as for one that is fetched. */
export async function parseHttpMessage(block: Buffer, maxBytes: number): Promise<HttpMessage> {
  const [end, rest] = findBody(block.subarray(0, MAX_HEADER + 4));
  if (end < 0) {
    const code = block.length > MAX_HEADER ? 'HEADERS_TOO_LARGE' : 'RESPONSE_INVALID';
    throw new AppError(code, 'the header of the response does not end');
  }
  // Bytes beyond ASCII have no agreed meaning in a header; one character a byte, as they come from a socket.
  const lines = block.toString('latin1', 0, end).split(/\r?\n/);
  const status = Number(STATUS.exec(lines[0]!)?.[1]);
  if (!(status >= 100)) throw new AppError('RESPONSE_INVALID', 'the record holds no HTTP response');
  const headers = parseHeaders(lines.slice(1));
  const sent = block.subarray(rest);
  const chunked = /(?:^|,)\s*chunked\s*$/i.test(headers['transfer-encoding'] ?? '');
  const whole = chunked ? (joinChunks(sent) ?? sent) : sent;
  if (whole.length > maxBytes) throw new AppError('TOO_LARGE', `the body is larger than ${maxBytes} bytes`);
  const encoding = headers['content-encoding'];
  const body =
    encoding === undefined || !looksEncoded(whole, encoding) ? whole : await decodeBody(whole, encoding, maxBytes);
  return { status, headers, body };
}

/** Where the header ends and the body begins. Some writers end lines with a line feed alone. */
function findBody(head: Buffer): [end: number, rest: number] {
  const full = head.indexOf('\r\n\r\n');
  const short = head.indexOf('\n\n');
  if (full >= 0 && (short < 0 || full < short)) return [full, full + 4];
  return [short, short + 2];
}

function parseHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

/** Some archives keep the field and store the body decoded: gzip and zstd show by their first bytes. */
function looksEncoded(body: Buffer, encoding: string): boolean {
  const last = encoding.split(',').at(-1)!.trim().toLowerCase();
  if (last === 'gzip' || last === 'x-gzip') return body[0] === 0x1f && body[1] === 0x8b;
  if (last === 'zstd') return body.length > 4 && body.readUInt32LE(0) === 0xfd2f_b528;
  return true;
}

/** The body of a chunked message; undefined when it is not in chunks, whatever the header says. A missing end is forgiven. */
function joinChunks(sent: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < sent.length; ) {
    const end = sent.subarray(at, at + 1_024).indexOf('\n');
    const size =
      end < 0 ? undefined : /^([0-9a-f]{1,8})\s*(?:;|$)/i.exec(sent.toString('latin1', at, at + end).trim())?.[1];
    if (size === undefined) return parts.length === 0 ? undefined : Buffer.concat(parts);
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    const start = at + end + 1;
    parts.push(sent.subarray(start, start + length));
    at = start + length;
    if (sent[at] === 0x0d) at++;
    if (sent[at] === 0x0a) at++;
  }
  return Buffer.concat(parts);
}
