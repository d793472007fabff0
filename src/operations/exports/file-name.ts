import { hash } from 'node:crypto';

const MAX_PART = 80;
const MAX_FOLDERS = 8;
/** Names Windows keeps for devices, whatever ends them. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
const UNSAFE = /[^\p{L}\p{N}._~-]/gu;

/**
 * A path for the document of an address, safe on every file system: no part is empty, `.`, `..` or a device's name, none is
 * longer than a name may be. The part of the hash keeps apart what differs in case, query or a cut end only, and the same address has
 * the same name in every export.
 */
export function fileNameOf(url: string): string {
  const parsed = URL.parse(url);
  const host = parsed === null || parsed.host === '' ? 'upload' : parsed.host;
  const parts = (parsed?.pathname ?? '').split('/').filter((part) => part !== '');
  const last = parts.pop()?.replace(/\.(html?|md|txt|pdf|php|aspx?)$/i, '') ?? 'index';
  const folders = [host, ...parts.slice(0, MAX_FOLDERS)].map(toPart);
  return [...folders, `${toPart(last)}-${hash('sha256', url).slice(0, 12)}.md`].join('/');
}

function toPart(text: string): string {
  const safe = decode(text).replace(UNSAFE, '_').slice(0, MAX_PART).toWellFormed().replaceAll('\ufffd', '_');
  // Windows drops dots at the end; a dot in front hides the file elsewhere.
  const name = safe.replace(/^\./, '_').replace(/\.$/, '_');
  return RESERVED.test(name.split('.', 1)[0]!) || name === '' ? `_${name}` : name;
}

/** Readable where it was only escaped; what is no UTF-8 stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text).normalize('NFC');
  } catch {
    return text;
  }
}
