/** 64-bit SimHash over runs of three words, as two 32-bit halves while it is built. */

/** More words than this say nothing new about what a page is like. */
const MAX_WORDS = 20_000;

/**
 * The SimHash of a text as a signed decimal string, as a 64-bit database column holds it. Empty text gives "0".
 * The text comes as UTF-8: letters and digits of ASCII, without regard to case, and every byte beyond ASCII make words.
 */
export function computeSimhash(text: Uint8Array): string {
  // How often each value of each of the eight bytes occurred: eight steps a word in place of sixty-four.
  const counts = new Int32Array(8 * 256);
  let words = 0;
  let before = 0;
  let earlier = 0;
  let word = START;
  let letters = 0;
  for (let index = 0; index <= text.length && words < MAX_WORDS; index++) {
    const code = index < text.length ? LETTERS[text[index]!]! : 0;
    if (code !== 0) {
      word = Math.imul(word ^ code, 0x01000193);
      letters++;
    } else if (letters > 0) {
      const run = word ^ Math.imul(before, 0x9e3779b1) ^ Math.imul(earlier, 0x85ebca77);
      count(counts, mix(run), 0);
      count(counts, mix(Math.imul(run, 0xc2b2ae3d) ^ word), 1024);
      earlier = before;
      before = word;
      word = START;
      letters = 0;
      words++;
    }
  }
  return BigInt.asIntN(
    64,
    (BigInt(collect(counts, 1024, words)) << 32n) | BigInt(collect(counts, 0, words)),
  ).toString();
}

const START = 0x811c9dc5;

/** What a byte adds to a word; 0 ends the word. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 128) return code;
  return /[a-z0-9]/i.test(String.fromCharCode(code)) ? code | (code > 64 ? 32 : 0) : 0;
});

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
