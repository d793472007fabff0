import { isAscii, isUtf8 } from 'node:buffer';
import { detectLegacyEncoding } from './charset-detect.ts';
import { canonicalName } from './charset-name.ts';
import { prescanMeta } from './charset-prescan.ts';

export interface DecodedText {
  text: string;
  /** The encoding in force, by its WHATWG name. */
  charset: string;
}

/** The encoding a page says it is in: byte order mark, then Content-Type, then its own meta element. */
export function sniffEncoding(body: Uint8Array, contentType?: string): string | undefined {
  return bomEncoding(body) ?? canonicalName(charsetParameter(contentType)) ?? prescanMeta(body);
}

/** Bytes to text. What the page says holds, unless the bytes prove it wrong; silence is met by detection. */
export function decodeBody(body: Uint8Array, contentType?: string): DecodedText {
  const said = sniffEncoding(body, contentType);
  const plain = said === 'utf-8' || (said === undefined && !body.includes(ESCAPE));
  if (plain && isUtf8(body)) return { text: UTF8.decode(body), charset: 'utf-8' };
  const charset = settle(body, said);
  return { text: new TextDecoder(charset).decode(body), charset };
}

/** Starts a change of character set in ISO-2022-JP, and is in no other text. */
const ESCAPE = 0x1b;
const UTF8 = new TextDecoder('utf-8');

function settle(body: Uint8Array, said: string | undefined): string {
  if (said === undefined) return detectLegacyEncoding(body) ?? 'utf-8';
  if (said === 'utf-8') return mostlyBroken(body) ? (detectLegacyEncoding(body) ?? 'utf-8') : 'utf-8';
  // Valid UTF-8 beyond ASCII hardly happens by chance: templates often name an encoding they left long ago.
  if (!said.startsWith('utf-16') && said !== 'iso-2022-jp' && !isAscii(body) && isUtf8(body)) return 'utf-8';
  return said;
}

/** A page with a few bad bytes is still UTF-8; one where most non-ASCII bytes are bad never was. */
function mostlyBroken(body: Uint8Array): boolean {
  let high = 0;
  for (const byte of body) if (byte >= 0x80) high++;
  const bad = UTF8.decode(body).split('\ufffd').length - 1;
  return high > 0 && bad > high * 0.5;
}

function bomEncoding(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function charsetParameter(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i
    .exec(contentType ?? '')
    ?.slice(1)
    .find((found) => found !== undefined);
}
