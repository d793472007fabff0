const STOP_WORDS = new Set(
  'a an and are as at be by can do for from how i in is it of on or that the this to was what when where which who why will with you your'.split(
    ' ',
  ),
);
/** Parts of an address that say nothing about its content. */
const URL_NOISE = new Set('www com org net html htm php asp aspx jsp index http https'.split(' '));

/** Words in lower case without accents, with plural and verb endings cut so that forms of a word become equal. */
export function toWords(text: string): string[] {
  const plain = /^[\u0020-\u007e]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return (plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

/** Words of a query without the ones that carry no meaning, unless there are only such. */
export function queryWords(query: string): string[] {
  const words = [...new Set(toWords(query))];
  const meaningful = words.filter((word) => !STOP_WORDS.has(word));
  return meaningful.length > 0 ? meaningful : words;
}

export function urlWords(url: string): { host: string[]; path: string[] } {
  const start = url.indexOf('://') + 3;
  const slash = url.slice(start).search(/[/?#]/);
  const host = slash === -1 ? url.slice(start) : url.slice(start, start + slash);
  const path = slash === -1 ? '' : decode(url.slice(start + slash));
  return { host: useful(toWords(host)), path: useful(toWords(path.replace(/([a-z\d])([A-Z])/g, '$1 $2'))) };
}

const useful = (words: string[]) => words.filter((word) => !URL_NOISE.has(word));

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function stem(word: string): string {
  const length = word.length;
  if (length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (length > 5 && word.endsWith('ing')) return undouble(word.slice(0, -3));
  if (length > 4 && word.endsWith('ed')) return undouble(word.slice(0, -2));
  if (length > 4 && /(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (length > 3 && word.endsWith('s') && !/[siu]s$/.test(word)) return cutE(word.slice(0, -1));
  return cutE(word);
}

/** What every form of a stemmed word holds: searching for it quickly rules out texts that have none of them. */
export const commonPart = (stemmed: string) => (stemmed.endsWith('y') ? stemmed.slice(0, -1) : stemmed);

const cutE = (word: string) => (word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word);
const undouble = (word: string) => (/([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : cutE(word));
