import { Best } from '../memory/best.ts';
import { grow } from '../memory/grow.ts';

/**
 * How soon a repeated term stops counting. Chunks are short, so a term that comes again says more than in whole documents, for
 * which 1.2 is usual. Mean nDCG@10 over Cranfield, CISI and MEDLARS: .504 at 0.9, .511 at 1.2, .514 at 1.5, .516 at 2.0; beyond
 * 1.5 recall@100 falls on MEDLARS.
 */
const K1 = 1.5;
/**
 * How much a long row loses: 0 nothing, 1 in full proportion. Chunks differ little in length, so it matters little:
 * mean nDCG@10 .512 at 0.5, .514 at 0.75, .510 at 1.
 */
const B = 0.75;
/** An entry is slot × 256 + how often the term occurs there. */
const MOST = 255;
/** How many slots an entry can address. */
export const MAX_SLOTS = 2 ** 24;

/**
 * BM25 over terms in memory. The slots that hold a term lie together in one large array, with space for some more; a
 * list that outgrows its place moves to the end. Slots must come in rising order and are never used twice: what was
 * removed is left out by the mask.
 */
export class Postings {
  readonly #numbers = new Map<string, number>();
  /** By the term's number: where its list starts, how long it is and its capacity. */
  #starts = new Uint32Array(0);
  #sizes = new Uint32Array(0);
  #capacities = new Uint32Array(0);
  #entries = new Uint32Array(0);
  #used = 0;
  /** By slot: how many terms there are. */
  #lengths = new Uint32Array(0);
  /** By the term's number, while one row is added: how often it has occurred. */
  #counts = new Uint8Array(0);
  /** By slot, while one query is answered. */
  #scores = new Float32Array(0);
  #touched = new Uint32Array(0);

  add(slot: number, terms: readonly string[]): void {
    const seen: number[] = [];
    for (const term of terms) {
      const number = this.#numberOf(term);
      const count = this.#counts[number]!;
      if (count === 0) seen.push(number);
      if (count < MOST) this.#counts[number] = count + 1;
    }
    for (const number of seen) {
      this.#push(number, slot * (MOST + 1) + this.#counts[number]!);
      this.#counts[number] = 0;
    }
    this.#lengths = grow(this.#lengths, slot + 1);
    this.#lengths[slot] = terms.length;
  }

  /** The best `limit` slots `allowed` lets through; terms have the weights they are given with. What is rare and how long rows are is reckoned over all `alive`. */
  search(
    terms: ReadonlyMap<string, number>,
    limit: number,
    allowed: Uint8Array,
    alive: Uint8Array,
  ): { slot: number; score: number }[] {
    const { rows, average } = this.#measure(alive);
    this.#scores = grow(this.#scores, alive.length);
    this.#touched = grow(this.#touched, alive.length);
    const [entries, lengths, scores, touched] = [this.#entries, this.#lengths, this.#scores, this.#touched];
    const perTerm = (K1 * B) / average;
    let reached = 0;
    for (const [term, asked] of terms) {
      const number = this.#numbers.get(term);
      if (number === undefined) continue;
      const start = this.#starts[number]!;
      const end = start + this.#sizes[number]!;
      const holders = this.#countAlive(start, end, alive, rows);
      // 1 + … keeps the weight positive for a term that more than half of the rows hold; plain BM25 would punish a match.
      const weight = asked * Math.log(1 + (rows - holders + 0.5) / (holders + 0.5)) * (K1 + 1);
      for (let at = start; at < end; at++) {
        const entry = entries[at]!;
        const slot = entry >>> 8;
        if (allowed[slot] !== 1) continue;
        const count = entry & MOST;
        if (scores[slot] === 0) touched[reached++] = slot;
        scores[slot]! += (weight * count) / (count + K1 * (1 - B) + perTerm * lengths[slot]!);
      }
    }
    const best = new Best(limit);
    let least = best.least;
    for (let at = 0; at < reached; at++) {
      const slot = touched[at]!;
      const score = scores[slot]!;
      scores[slot] = 0;
      if (score <= least) continue;
      best.offer(slot, score);
      least = best.least;
    }
    return best.take();
  }

  /** Measured once for a mask: the holder of the rows makes another when they change. */
  #measured: { alive: Uint8Array; rows: number; average: number } | undefined;
  #measure(alive: Uint8Array): { rows: number; average: number } {
    if (this.#measured?.alive === alive) return this.#measured;
    let rows = 0;
    let total = 0;
    for (let slot = 0; slot < alive.length; slot++)
      if (alive[slot] === 1) {
        rows++;
        total += this.#lengths[slot]!;
      }
    this.#measured = { alive, rows, average: total / rows || 1 };
    return this.#measured;
  }

  #countAlive(start: number, end: number, alive: Uint8Array, rows: number): number {
    if (rows === alive.length) return end - start;
    let count = 0;
    for (let at = start; at < end; at++) count += alive[this.#entries[at]! >>> 8]!;
    return count;
  }

  #numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(copyOf(term), number);
      this.#starts = grow(this.#starts, number + 1);
      this.#sizes = grow(this.#sizes, number + 1);
      this.#capacities = grow(this.#capacities, number + 1);
      this.#counts = grow(this.#counts, number + 1);
    }
    return number;
  }

  /** Closes the gaps that moved lists left behind. */
  pack(): void {
    const order = [...this.#sizes.subarray(0, this.#numbers.size)];
    const packed = new Uint32Array(order.reduce((sum, size) => sum + size, 0));
    this.#used = 0;
    for (const [number, size] of order.entries()) {
      const start = this.#starts[number]!;
      packed.set(this.#entries.subarray(start, start + size), this.#used);
      this.#starts[number] = this.#used;
      this.#capacities[number] = size;
      this.#used += size;
    }
    this.#entries = packed;
  }

  #push(number: number, entry: number): void {
    const size = this.#sizes[number]!;
    if (size === this.#capacities[number]) this.#move(number, size);
    this.#entries[this.#starts[number]! + size] = entry;
    this.#sizes[number] = size + 1;
  }

  #move(number: number, size: number): void {
    const capacity = size === 0 ? 1 : Math.ceil(size * 1.5);
    const start = this.#used;
    this.#used += capacity;
    this.#entries = grow(this.#entries, this.#used);
    this.#entries.copyWithin(start, this.#starts[number]!, this.#starts[number]! + size);
    this.#starts[number] = start;
    this.#capacities[number] = capacity;
  }
}

/** A piece of a longer text may hold on to all of it; this one does not. */
const copyOf = (term: string) => Buffer.from(term).toString();
