/** Anything but single blanks between plain signs; most texts have none of it and stay as they are. */
const UNEVEN = /[\t-\r\u0085\u00a0\u00ad\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]| {2}/;

/** Blanks of every kind become one blank; invisible characters go. */
export function collapseBlanks(text: string): string {
  if (text === '\n') return ' ';
  if (!UNEVEN.test(text)) return text;
  return text.replace(/\s+/g, ' ').replace(/[\u00ad\u200b\u2060]/g, '');
}
