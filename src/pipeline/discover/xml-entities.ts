import { decodeHTMLStrict } from 'entities/decode';

const REFERENCE = /&(?:#(?:x([0-9a-f]{1,8})|(\d{1,8}))|([a-z][a-z0-9]{1,31}));/gi;
const XML_NAMES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Character references and the predefined entities. A bare `&` stays as it is, and so does an unknown name:
 * entities that a document declares for itself are never expanded.
 */
export function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return XML_NAMES[name] ?? decodeHTMLStrict(whole);
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    // Numbers 128 to 159 are control characters; documents that use them mean Windows-1252, and HTML reads them so.
    if (code >= 0x80 && code <= 0x9f) return decodeHTMLStrict(whole);
    const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  });
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
