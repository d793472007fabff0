/**
 * Names of tags and attributes, one string each: a page repeats a few of them hundreds of times, and a string cut out
 * of the page would have to be compared letter by letter wherever it is looked up. A name that is not known takes the
 * place of the one that was there.
 */
const SIZE = 4096;
const known: string[] = new Array<string>(SIZE).fill('');

const CAPITALS = /[A-Z]/;
export const toLower = (name: string) => (CAPITALS.test(name) ? name.toLowerCase() : name);

/** What to start a name's hash with, and how to add a letter to it. */
export const NAME_HASH = 0;
export const addLetter = (hash: number, code: number) => (Math.imul(hash, 31) + code) | 0;

/** The name at [from, to) of a page in lower case; `hash` is over its letters as they stand there. */
export function readName(html: string, from: number, to: number, hash: number): string {
  const slot = (hash ^ (hash >>> 12)) & (SIZE - 1);
  const name = known[slot]!;
  if (name.length === to - from && html.startsWith(name, from)) return name;
  const read = toLower(html.slice(from, to));
  if (read.length > MAX_LENGTH) return read;
  // The key of an object is a string that stands for itself, and does not keep the page in memory.
  const [own] = Object.keys({ [read]: true });
  known[slot] = own!;
  return own!;
}

const MAX_LENGTH = 64;
