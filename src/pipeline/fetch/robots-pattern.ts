import { findText } from '../../web/part-finder.ts';

/**
 * Path patterns of robots.txt. `*` stands for any characters, `$` at the end for the end of the path; everything else
 * is compared literally, in one canonical encoding on both sides.
 */
export interface PathPattern {
  /** Octets of the pattern: the longest one that matches decides. */
  length: number;
  /** The literal texts between the stars. */
  parts: string[];
  /** Ends with `$`. */
  anchored: boolean;
}

export function compilePattern(text: string): PathPattern {
  const anchored = text.endsWith('$');
  const parts = (anchored ? text.slice(0, -1) : text).split('*').map(canonicalizePath);
  const stars = parts.length - 1;
  const length = parts.reduce((sum, part) => sum + part.length, stars + (anchored ? 1 : 0));
  const inner = parts.slice(1, -1).filter((part) => part !== '');
  return { length, anchored, parts: stars === 0 ? parts : [parts[0]!, ...inner, parts.at(-1)!] };
}

/** Leftmost placement of each part is the best one, so one pass over the path is enough: no backtracking. */
export function matchesPattern(path: string, { parts, anchored }: PathPattern): boolean {
  const first = parts[0]!;
  if (!path.startsWith(first)) return false;
  let position = first.length;
  const last = parts.length - 1;
  if (last === 0) return !anchored || path.length === position;
  for (let i = 1; i <= last; i++) {
    const part = parts[i]!;
    if (i === last && anchored) return path.length - part.length >= position && path.endsWith(part);
    const found = findText(path, part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return true;
}

const PLAIN = /^[\w\-.~/?&=+,;:@#!()[\]]*$/;
const KEPT = /[\w\-.~]/;

/**
 * One encoding for patterns and for the paths of addresses: escapes in capitals, escaped unreserved characters undone, and what an address may
 * not hold (and `*`, `$`, `'`, which parsers and patterns treat in their own ways) escaped. Characters above ASCII
 * stand for bytes.
 */
export function canonicalizePath(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(/%[\da-f]{2}|[^\w\-.~/?&=+,;:@#!()[\]%\0]/gi, (match) => {
    if (match.length === 3) {
      const character = String.fromCharCode(Number.parseInt(match.slice(1), 16));
      return KEPT.test(character) ? character : match.toUpperCase();
    }
    return `%${match.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
