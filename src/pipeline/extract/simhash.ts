/** 64-bit SimHash over word pairs, as two 32-bit halves while it is built. */

const WORD = /[\p{L}\p{N}]+/gu;
/** More words than this say nothing new about what a page is like. */
const MAX_WORDS = 20_000;

/** The SimHash of a text as a signed decimal string, as a 64-bit database column holds it. Empty text gives "0". */
export function computeSimhash(text: string): string {
  const weights = new Int32Array(64);
  let count = 0;
  let previousLow = 0;
  let previousHigh = 0;
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    let low = 0x811c9dc5;
    let high = 0x9e3779b9;
    for (let index = 0; index < word.length; index++) {
      const code = word.charCodeAt(index);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13);
    }
    addBits(weights, mix(low ^ Math.imul(previousLow, 31)), 0);
    addBits(weights, mix(high ^ Math.imul(previousHigh, 37)), 32);
    previousLow = low;
    previousHigh = high;
    if (++count >= MAX_WORDS) break;
  }
  return toDecimal(collect(weights, 32), collect(weights, 0));
}

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function addBits(weights: Int32Array, hash: number, offset: number): void {
  for (let bit = 0; bit < 32; bit++) weights[offset + bit]! += ((hash >>> bit) & 1) * 2 - 1;
}

function collect(weights: Int32Array, offset: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) if (weights[offset + bit]! > 0) bits |= 1 << bit;
  return bits >>> 0;
}

function toDecimal(high: number, low: number): string {
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)).toString();
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
