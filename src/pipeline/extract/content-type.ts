import { AppError } from '../../errors.ts';

export type Format = 'html' | 'pdf' | 'markdown' | 'text' | 'xml' | 'json';

const BY_TYPE: readonly [RegExp, Format][] = [
  [/^(?:text\/html|application\/xhtml\+xml|application\/vnd\.wap\.xhtml\+xml)$/, 'html'],
  [/^application\/(?:x-)?pdf$/, 'pdf'],
  [/^text\/(?:x-)?markdown$/, 'markdown'],
  [/^(?:application|text)\/(?:[\w.-]+\+)?json$|^application\/(?:x-)?(?:ndjson|jsonlines)$/, 'json'],
  [/^(?:application|text)\/(?:[\w.-]+\+)?xml(?:-dtd)?$/, 'xml'],
  [/^text\/|^application\/(?:x-)?(?:yaml|toml|javascript|sh|sql|rtf)$/, 'text'],
];
/** Servers send these when they do not know; the bytes decide then. */
const VAGUE =
  /^(?:application\/(?:octet-stream|binary|download|force-download|x-download)|binary\/octet-stream|unknown\/unknown|\*\/\*|)$/;

/** What to read a body as: by its bytes where they are plain, else by the type it was sent with. */
export function chooseFormat(body: Uint8Array, contentType: string | undefined, url: string): Format {
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase();
  if (startsWith(body, '%PDF-')) return 'pdf';
  const named = BY_TYPE.find(([pattern]) => pattern.test(type))?.[1];
  const markup = sniffMarkup(body);
  if (named === 'text' && /\.(?:md|markdown|mdx)$/i.test(pathOf(url))) return 'markdown';
  if (named === 'text' && type === 'text/plain' && markup === 'html') return 'html';
  if (named !== undefined && named !== 'pdf') {
    if (looksBinary(body)) throw unsupported(type);
    return named;
  }
  if (named === 'pdf' || !VAGUE.test(type) || looksBinary(body)) throw unsupported(type);
  if (markup !== undefined) return markup;
  return /\.(?:md|markdown|mdx)$/i.test(pathOf(url)) ? 'markdown' : 'text';
}

const unsupported = (type: string): AppError =>
  new AppError('CONTENT_TYPE_UNSUPPORTED', `there is no reader for ${type === '' ? 'this content' : type}`);

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0]!;

function startsWith(body: Uint8Array, mark: string): boolean {
  for (let index = 0; index < mark.length; index++) if (body[index] !== mark.charCodeAt(index)) return false;
  return true;
}

function sniffMarkup(body: Uint8Array): Format | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 512))
    .toString('latin1')
    .replace(/^(?:ï»¿)?\s+/, '');
  if (/^(?:<!doctype html|<html|<head|<body|<!--[\s\S]*?-->\s*<(?:!doctype|html))/i.test(head)) return 'html';
  if (/^<\?xml|^<(?:rss|feed|rdf:rdf|urlset|sitemapindex)\b/i.test(head))
    return /<html\b|xhtml/i.test(head) ? 'html' : 'xml';
  if (/^[[{]\s*["[{\d\]}]/.test(head)) return 'json';
  return /^<[a-z][^>]*>/i.test(head) ? 'html' : undefined;
}

/** Text has next to no control characters; UTF-16 has a byte order mark before its zeros. */
function looksBinary(body: Uint8Array): boolean {
  if ((body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff)) return false;
  const length = Math.min(body.byteLength, 1024);
  let controls = 0;
  for (let index = 0; index < length; index++) {
    const byte = body[index]!;
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++;
  }
  return controls > length * 0.02 + 1;
}
