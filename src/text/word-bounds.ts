/** What a character is to a word, as bits; 0 is not known yet. */
const LETTER = 1;
const WORD = 2;
const JOINS = 4;
/** Whitespace, brackets and quotes: a dot after them may start a word. */
const OPENS = 8;
const OTHER = 16;
const kinds = new Uint8Array(0x10000);

function kindOf(code: number): number {
  const sign = String.fromCharCode(code);
  if (/\p{L}/u.test(sign)) return LETTER | WORD;
  if (/[\p{N}\p{M}]/u.test(sign)) return WORD;
  const joins = /[._:/@#+\-'’\\]/.test(sign) ? JOINS : 0;
  const opens = /[\s([{"'`]/.test(sign) ? OPENS : 0;
  return joins | opens || OTHER;
}

const DOT = 46;
const PLUS = 43;
const HASH = 35;

/**
 * Where the words of a text are: start and end alternate. Runs of letters and digits, joined by the characters that hold
 * identifiers, versions, paths and file names together; a dot in front belongs to it (`.NET`, `.gitignore`) when nothing but
 * whitespace, a bracket or a quote is before that, and `++` or `#` behind it does (`C++`). Read character by character: a pattern that
 * says the same takes two to three times as long, on every result of every search. Letters beyond the first 65,536 are two
 * code units here, so texts with those use the pattern instead.
 */
export function findWords(text: string): number[] {
  const bounds: number[] = [];
  const { length } = text;
  const kindAt = (at: number): number => {
    const code = text.charCodeAt(at);
    const known = kinds[code]!;
    if (known !== 0) return known;
    kinds[code] = kindOf(code);
    return kinds[code]!;
  };
  let at = 0;
  while (at < length) {
    const start = at;
    if ((kindAt(at) & WORD) === 0) {
      at++;
      const dotted =
        text.charCodeAt(start) === DOT &&
        at < length &&
        (kindAt(at) & LETTER) !== 0 &&
        (start === 0 || (kindAt(start - 1) & OPENS) !== 0);
      if (!dotted) continue;
    }
    for (;;) {
      while (at < length && (kindAt(at) & WORD) !== 0) at++;
      let next = at;
      while (next < length && (kindAt(next) & JOINS) !== 0) next++;
      if (next === at || next === length || (kindAt(next) & WORD) === 0) break;
      at = next;
    }
    const code = text.charCodeAt(at);
    if (code === HASH) at++;
    else if (code === PLUS && text.charCodeAt(at + 1) === PLUS) at += 2;
    bounds.push(start, at);
  }
  return bounds;
}
