/** Anything but single spaces between plain characters; most texts match nowhere and stay as they are. */
const UNEVEN = /[\t-\r\u0085\u00a0\u00ad\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]| {2}/;

/** Each run of whitespace becomes one space; invisible characters are removed. */
export function collapseWhitespace(text: string): string {
  if (text === '\n') return ' ';
  if (!UNEVEN.test(text)) return text;
  return text.replace(/\s+/g, ' ').replace(/[\u00ad\u200b\u2060]/g, '');
}
