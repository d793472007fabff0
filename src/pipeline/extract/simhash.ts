/** 64-bit SimHash over runs of three words, as two 32-bit halves while it is built. */

/** More words than this say nothing new about what a page is like. */
const MAX_WORDS = 20_000;

/**
 * The SimHash of a text as a signed decimal string, as a 64-bit database column holds it. Empty text gives "0".
 * The text comes as UTF-8: letters and digits of ASCII, without regard to case, and every byte beyond ASCII make words.
 */
export function computeSimhash(text: Uint8Array): string {
  const words = hashRuns(text);
  return BigInt.asIntN(64, (BigInt(majority(HIGH, words)) << 32n) | BigInt(majority(LOW, words))).toString();
}

/** The two halves of every run's hash; one text is hashed at a time. */
const LOW = new Int32Array(MAX_WORDS);
const HIGH = new Int32Array(MAX_WORDS);

/** Hashes every word together with the two before it; answers how many there are. */
function hashRuns(text: Uint8Array): number {
  const { length } = text;
  let words = 0;
  let before = 0;
  let earlier = 0;
  for (let at = 0; at < length && words < MAX_WORDS; at++) {
    let code = LETTERS[text[at]!]!;
    if (code === 0) continue;
    let word = START;
    do {
      word = Math.imul(word ^ code, 0x01000193);
      at++;
      code = at < length ? LETTERS[text[at]!]! : 0;
    } while (code !== 0);
    const run = word ^ Math.imul(before, 0x9e3779b1) ^ Math.imul(earlier, 0x85ebca77);
    LOW[words] = mix(run);
    HIGH[words] = mix(Math.imul(run, 0xc2b2ae3d) ^ word);
    earlier = before;
    before = word;
    words++;
  }
  return words;
}

/** Sums of up to so many carries fit into a byte and keep out of the sign. */
const CARRIES = 127 * 8;
const BYTES = 0x01010101;

/**
 * The bits that more than half of the hashes set. Eight hashes at a time are added bit by bit: `ones`, `twos` and `fours`
 * are the digits of 32 sums. What goes beyond is counted in bytes, four to a number.
 */
function majority(hashes: Int32Array, count: number): number {
  const totals = new Int32Array(32);
  for (let from = 0; from < count; from += CARRIES) addAll(totals, hashes, from, Math.min(count, from + CARRIES));
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) if (totals[bit]! * 2 > count) bits |= 1 << bit;
  return bits >>> 0;
}

function addAll(totals: Int32Array, hashes: Int32Array, from: number, to: number): void {
  let [ones, twos, fours] = [0, 0, 0];
  let [b0, b1, b2, b3, b4, b5, b6, b7] = [0, 0, 0, 0, 0, 0, 0, 0];
  let at = from;
  for (; at + 8 <= to; at += 8) {
    let a = hashes[at]!;
    let b = hashes[at + 1]!;
    let pair = (ones & a) | ((ones ^ a) & b);
    ones ^= a ^ b;
    a = hashes[at + 2]!;
    b = hashes[at + 3]!;
    let other = (ones & a) | ((ones ^ a) & b);
    ones ^= a ^ b;
    const four = (twos & pair) | ((twos ^ pair) & other);
    twos ^= pair ^ other;
    a = hashes[at + 4]!;
    b = hashes[at + 5]!;
    pair = (ones & a) | ((ones ^ a) & b);
    ones ^= a ^ b;
    a = hashes[at + 6]!;
    b = hashes[at + 7]!;
    other = (ones & a) | ((ones ^ a) & b);
    ones ^= a ^ b;
    const next = (twos & pair) | ((twos ^ pair) & other);
    twos ^= pair ^ other;
    const eight = (fours & four) | ((fours ^ four) & next);
    fours ^= four ^ next;
    b0 = (b0 + (eight & BYTES)) | 0;
    b1 = (b1 + ((eight >>> 1) & BYTES)) | 0;
    b2 = (b2 + ((eight >>> 2) & BYTES)) | 0;
    b3 = (b3 + ((eight >>> 3) & BYTES)) | 0;
    b4 = (b4 + ((eight >>> 4) & BYTES)) | 0;
    b5 = (b5 + ((eight >>> 5) & BYTES)) | 0;
    b6 = (b6 + ((eight >>> 6) & BYTES)) | 0;
    b7 = (b7 + ((eight >>> 7) & BYTES)) | 0;
  }
  const eights = [b0, b1, b2, b3, b4, b5, b6, b7];
  for (let bit = 0; bit < 32; bit++) {
    let sum = (eights[bit & 7]! >>> (bit & 24)) & 255;
    sum = sum * 2 + ((fours >>> bit) & 1);
    sum = sum * 2 + ((twos >>> bit) & 1);
    sum = sum * 2 + ((ones >>> bit) & 1);
    for (let rest = at; rest < to; rest++) sum += (hashes[rest]! >>> bit) & 1;
    totals[bit]! += sum;
  }
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
