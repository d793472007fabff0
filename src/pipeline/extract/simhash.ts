/** 64-bit SimHash over runs of three words, as two 32-bit halves while it is built. */

/** More words than this say nothing new about what a page is like. */
const MAX_WORDS = 20_000;
const OTHER_LETTER = /[\p{L}\p{N}]/u;

/** The SimHash of a text as a signed decimal string, as a 64-bit database column holds it. Empty text gives "0". */
export function computeSimhash(text: string): string {
  // How often each value of each of the eight bytes occurred: eight steps a word in place of sixty-four.
  const counts = new Int32Array(8 * 256);
  let words = 0;
  let [low1, high1, low2, high2] = [0, 0, 0, 0];
  let low = START_LOW;
  let high = START_HIGH;
  let inWord = false;
  for (let index = 0; index <= text.length && words < MAX_WORDS; index++) {
    const code = letterAt(text, index);
    if (code !== 0) {
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13);
      inWord = true;
    } else if (inWord) {
      count(counts, mix(low ^ Math.imul(low1, 31) ^ Math.imul(low2, 961)), 0);
      count(counts, mix(high ^ Math.imul(high1, 37) ^ Math.imul(high2, 1369)), 1024);
      [low2, high2, low1, high1] = [low1, high1, low, high];
      [low, high, inWord] = [START_LOW, START_HIGH, false];
      words++;
    }
  }
  return BigInt.asIntN(
    64,
    (BigInt(collect(counts, 1024, words)) << 32n) | BigInt(collect(counts, 0, words)),
  ).toString();
}

const START_LOW = 0x811c9dc5;
const START_HIGH = 0x9e3779b9;

/** The code of a letter or digit, small letters for capitals; 0 for anything else. */
function letterAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) {
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return code;
    return code >= 65 && code <= 90 ? code + 32 : 0;
  }
  // Halves of a pair count as letters: what they stand for is a sign of its own.
  if (code >= 0xd800 && code <= 0xdfff) return code;
  return index < text.length && OTHER_LETTER.test(text[index]!) ? text[index]!.toLowerCase().charCodeAt(0) : 0;
}

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function count(counts: Int32Array, hash: number, offset: number): void {
  counts[offset + (hash & 255)]!++;
  counts[offset + 256 + ((hash >>> 8) & 255)]!++;
  counts[offset + 512 + ((hash >>> 16) & 255)]!++;
  counts[offset + 768 + (hash >>> 24)]!++;
}

/** A bit is set when more than half of the words set it. */
function collect(counts: Int32Array, offset: number, words: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) {
    const start = offset + (bit >> 3) * 256;
    const mask = 1 << (bit & 7);
    let set = 0;
    for (let value = 0; value < 256; value++) if ((value & mask) !== 0) set += counts[start + value]!;
    if (set * 2 > words) bits |= 1 << bit;
  }
  return bits >>> 0;
}

/** In how many of the 64 bits two SimHashes differ; near-duplicates differ in 3 at most. */
export function hammingDistance(left: string, right: string): number {
  let difference = BigInt.asUintN(64, BigInt(left) ^ BigInt(right));
  let distance = 0;
  for (; difference !== 0n; difference &= difference - 1n) distance++;
  return distance;
}

/** Four 16-bit bands: two hashes at a distance of 3 or less share at least one, so an index on bands finds them. */
export function simhashBands(hash: string): [number, number, number, number] {
  const bits = BigInt.asUintN(64, BigInt(hash));
  const band = (shift: bigint): number => Number((bits >> shift) & 0xffffn);
  return [band(48n), band(32n), band(16n), band(0n)];
}
