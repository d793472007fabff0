import { createPartFinder } from './part-finder.ts';

/**
 * A filter for addresses: `*` stands for any characters (slashes too), `?` for one, `|` between alternatives. Matching
 * ignores case. A pattern that starts with `/` is matched with path and query, one with `://` with the whole
 * address, any other with the address without its scheme; without wildcards it only has to occur.
 *
 * It is never turned into a regular expression: each part between two stars is looked for once, from where the part
 * before it ended, so a hostile pattern costs one pass over the address.
 */
export function compilePattern(pattern: string): (url: string) => boolean {
  const alternatives = pattern
    .split('|')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')
    .map(compileAlternative);
  if (alternatives.length === 0) return () => true;
  return (url) => {
    const whole = url.toLowerCase();
    return alternatives.some((matches) => matches(whole));
  };
}

function compileAlternative(pattern: string): (url: string) => boolean {
  const matches = /[*?]/.test(pattern) ? compileGlob(pattern) : (target: string) => target.includes(pattern);
  if (pattern.includes('://')) return matches;
  if (pattern.startsWith('/')) return (url) => matches(pathOf(url));
  return (url) => matches(url.slice(url.indexOf('://') + 3));
}

function pathOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? '/' : url.slice(slash);
}

/** The leftmost place of each part is the best one: it leaves the most text for the parts after it. */
function compileGlob(pattern: string): (target: string) => boolean {
  const parts = pattern.split('*');
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (parts.length === 1) return (target) => target.length === first.length && fits(target, 0, first);
  const inner = parts.slice(1, -1).filter((part) => part !== '');
  const finders = inner.map((part) => ({ find: createPartFinder(part), length: part.length }));
  return (target) => {
    const end = target.length - last.length;
    if (end < first.length || !fits(target, 0, first) || !fits(target, end, last)) return false;
    let at = first.length;
    for (const { find, length } of finders) {
      const found = find(target, at);
      if (found < 0) return false;
      at = found + length;
    }
    return at <= end;
  };
}

/** Whether the part stands at this place. */
function fits(target: string, at: number, part: string): boolean {
  if (!part.includes('?')) return target.startsWith(part, at);
  for (let index = 0; index < part.length; index++)
    if (part[index] !== '?' && part[index] !== target[at + index]) return false;
  return true;
}
