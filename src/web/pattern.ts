/**
 * A filter for addresses: `*` stands for any characters (slashes too), `?` for one, `|` between alternatives. Matching
 * ignores case. A pattern that starts with `/` is held against path and query, one with `://` against the whole
 * address, any other against the address without its scheme; without wildcards it only has to occur.
 *
 * It is walked, never turned into a regular expression, so a hostile pattern costs at most its length times the
 * address's.
 */
export function compilePattern(pattern: string): (url: string) => boolean {
  const alternatives = pattern
    .split('|')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
  if (alternatives.length === 0) return () => true;
  return (url) => {
    const whole = url.toLowerCase();
    return alternatives.some((part) => matches(part, whole));
  };
}

function matches(pattern: string, url: string): boolean {
  const schemeEnd = url.indexOf('://') + 3;
  const slash = url.indexOf('/', schemeEnd);
  const target = pattern.includes('://')
    ? url
    : pattern.startsWith('/')
      ? slash === -1
        ? '/'
        : url.slice(slash)
      : url.slice(schemeEnd);
  return /[*?]/.test(pattern) ? matchGlob(pattern, target) : target.includes(pattern);
}

/** Greedy matching with one remembered star: going back to earlier stars can never help. */
function matchGlob(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let resume = 0;
  while (inText < text.length) {
    const expected = pattern[inPattern];
    if (expected === '*') {
      star = inPattern++;
      resume = inText;
    } else if (expected === '?' || expected === text[inText]) {
      inPattern++;
      inText++;
    } else if (star !== -1) {
      inPattern = star + 1;
      inText = ++resume;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
