/**
 * Finds a text in which `?` stands for any character: the first place at or after `from`, or -1. Without `?` that is
 * `indexOf`. With it, all places are tried at once: bit i of the state says that the i characters read last fit the
 * first i of the part (the Shift-And method), so no character of the text is read twice.
 */
export function createPartFinder(part: string): (text: string, from: number) => number {
  if (!part.includes('?')) return (text, from) => findText(text, part, from);
  const words = Math.ceil(part.length / 32);
  const { masks, anything } = readMasks(part, words);
  const lastBit = 1 << ((part.length - 1) % 32);
  return (text, from) => {
    const state = new Int32Array(words);
    for (let at = from; at < text.length; at++) {
      const mask = masks.get(text.charCodeAt(at)) ?? anything;
      let carry = 1;
      for (let word = 0; word < words; word++) {
        const before = state[word]!;
        state[word] = ((before << 1) | carry) & mask[word]!;
        carry = before >>> 31;
      }
      if ((state[words - 1]! & lastBit) !== 0) return at - part.length + 1;
    }
    return -1;
  };
}

/** For each character of the part the places it may stand at; `anything` has those of every other character. */
function readMasks(part: string, words: number): { masks: Map<number, Int32Array>; anything: Int32Array } {
  const anything = new Int32Array(words);
  const masks = new Map<number, Int32Array>();
  for (let index = 0; index < part.length; index++) if (part[index] === '?') anything[index >> 5]! |= 1 << (index % 32);
  for (let index = 0; index < part.length; index++) {
    if (part[index] === '?') continue;
    const code = part.charCodeAt(index);
    const mask = masks.get(code) ?? anything.slice();
    mask[index >> 5]! |= 1 << (index % 32);
    masks.set(code, mask);
  }
  return { masks, anything };
}

/** Up to this length the built-in search is faster, and its worst case is as many times the text. */
const SHORT = 32;

/**
 * `text.indexOf(part, from)` in time that grows with both lengths, never with their product: the built-in one compares a
 * long part again at every place that almost fits (Knuth-Morris-Pratt does not).
 */
export function findText(text: string, part: string, from: number): number {
  if (part.length <= SHORT) return text.indexOf(part, from);
  if (text.length - from < part.length) return -1;
  const borders = readBorders(part);
  let fits = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (fits > 0 && part.charCodeAt(fits) !== code) fits = borders[fits - 1]!;
    if (part.charCodeAt(fits) === code) fits++;
    if (fits === part.length) return at - part.length + 1;
  }
  return -1;
}

/** For each place of the part, how many of the characters up to it are also its first ones. */
function readBorders(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  for (let at = 1, fits = 0; at < part.length; at++) {
    const code = part.charCodeAt(at);
    while (fits > 0 && part.charCodeAt(fits) !== code) fits = borders[fits - 1]!;
    if (part.charCodeAt(fits) === code) fits++;
    borders[at] = fits;
  }
  return borders;
}
