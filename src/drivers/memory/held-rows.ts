import type { IndexFields, IndexFilter, IndexHit } from '../../ports/index-filter.ts';
import { grow } from './grow.ts';

const MASKS_KEPT = 32;

/** A column of few different values: every row holds the number of its value. 0 stands for none. */
class Column {
  readonly #numbers = new Map<string, number>();
  readonly values: (readonly string[])[] = [[]];
  numbers = new Uint32Array(0);

  set(slot: number, key: string | null, values?: readonly string[]): void {
    this.numbers = grow(this.numbers, slot + 1);
    this.numbers[slot] = key === null ? 0 : this.#numberOf(key, values ?? [key]);
  }

  /** By number: whether one of the wanted values is among that number's. */
  wanted(values: readonly string[]): Uint8Array {
    const set = new Set(values);
    return Uint8Array.from(this.values, (held) => (held.some((value) => set.has(value)) ? 1 : 0));
  }

  #numberOf(key: string, values: readonly string[]): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.values.push(values) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/**
 * What rows are called and filtered by, held in memory under small numbers (slots) that the parts of an index use.
 * A filter becomes a mask: one byte a slot, 1 where the row is there and passes.
 */
export class HeldRows {
  readonly #slots = new Map<string, number>();
  readonly #chunkIds: string[] = [];
  readonly #columns = {
    documentIds: new Column(),
    collectionIds: new Column(),
    domains: new Column(),
    tags: new Column(),
    sources: new Column(),
    contentTypes: new Column(),
    languages: new Column(),
  };
  #fetchedAt = new Float64Array(0);
  #alive = new Uint8Array(0);
  readonly #free: number[] = [];
  readonly #masks = new Map<string, Uint8Array>();

  /** Slots ever given; those of removed rows are among them. */
  get slots(): number {
    return this.#chunkIds.length;
  }

  get size(): number {
    return this.#slots.size;
  }

  slotOf(chunkId: string): number | undefined {
    return this.#slots.get(chunkId);
  }

  /** Writes a row to the slot its chunk has, or to a free or a new one. */
  put(row: IndexFields & { chunkId: string }): number {
    const slot = this.#slots.get(row.chunkId) ?? this.#free.pop() ?? this.#chunkIds.length;
    this.#slots.set(row.chunkId, slot);
    this.#chunkIds[slot] = row.chunkId;
    this.#alive = grow(this.#alive, slot + 1);
    this.#alive[slot] = 1;
    this.#fetchedAt = grow(this.#fetchedAt, slot + 1);
    this.#fetchedAt[slot] = row.fetchedAt;
    const columns = this.#columns;
    columns.documentIds.set(slot, row.documentId);
    columns.collectionIds.set(slot, row.collectionId);
    columns.domains.set(slot, row.domain);
    columns.tags.set(slot, row.tags.length === 0 ? null : JSON.stringify(row.tags), row.tags);
    columns.sources.set(slot, row.source);
    columns.contentTypes.set(slot, row.contentType);
    columns.languages.set(slot, row.language);
    this.#masks.clear();
    return slot;
  }

  /** Takes a row out. Its slot is given to another row only when `reuse` says that nothing else remembers it. */
  remove(slot: number, reuse: boolean): void {
    if (this.#alive[slot] !== 1) return;
    this.#alive[slot] = 0;
    this.#slots.delete(this.#chunkIds[slot]!);
    if (reuse) this.#free.push(slot);
    this.#masks.clear();
  }

  hit(slot: number, score: number): IndexHit {
    const { values, numbers } = this.#columns.documentIds;
    return { chunkId: this.#chunkIds[slot]!, documentId: values[numbers[slot]!]![0]!, score };
  }

  /** The rows a filter lets through. The mask stays as it is when rows change later. */
  mask(filter?: IndexFilter): Uint8Array {
    const key = JSON.stringify(filter ?? {});
    let mask = this.#masks.get(key);
    if (mask === undefined) {
      mask = this.#makeMask(filter ?? {});
      if (this.#masks.size >= MASKS_KEPT) this.#masks.clear();
      this.#masks.set(key, mask);
    }
    return mask;
  }

  #makeMask({ fetchedFrom, fetchedTo, ...lists }: IndexFilter): Uint8Array {
    const mask = this.#alive.slice(0, this.slots);
    for (const [name, values] of Object.entries(lists) as [keyof typeof lists, readonly string[] | undefined][]) {
      if (values === undefined) continue;
      const { numbers } = this.#columns[name];
      const wanted = this.#columns[name].wanted(values);
      for (let slot = 0; slot < mask.length; slot++) mask[slot]! &= wanted[numbers[slot]!]!;
    }
    if (fetchedFrom !== undefined)
      for (let slot = 0; slot < mask.length; slot++) if (!(this.#fetchedAt[slot]! >= fetchedFrom)) mask[slot] = 0;
    if (fetchedTo !== undefined)
      for (let slot = 0; slot < mask.length; slot++) if (!(this.#fetchedAt[slot]! <= fetchedTo)) mask[slot] = 0;
    return mask;
  }
}
