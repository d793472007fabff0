import { setImmediate } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import { HeldRows } from '../memory/held-rows.ts';
import { fieldsReader } from './read-fields.ts';
import { compareIds, type HeldIds, idsOf, listIds } from './row-ids.ts';

/** What an engine in memory keeps of a row, beside what HeldRows does. */
export interface MirrorPart {
  /** Its column of the table. */
  readonly column: string;
  /** Whether a slot may be written again; if not, another is taken and the old one stays empty. */
  readonly rewritable: boolean;
  /** Whether the slot holds this value already. */
  holds(slot: number, value: unknown): boolean;
  set(slot: number, value: unknown): void;
  /** Called when many rows have been set. */
  settle?(): void;
}

export interface MirrorOptions<Part extends MirrorPart> {
  /** Tables of more rows are not held. */
  maxRows: number;
  create(): Part;
}

interface Held<Part> extends HeldIds {
  rows: HeldRows;
  part: Part;
  /** By slot: the row it was filled from. */
  idOf: number[];
  /** Slots that stay empty. */
  spent: number;
}

/** So many new rows are read while a search waits; more are read in the background. */
const ROWS_AT_ONCE = 1_000;
/** Rows taken in before others get their turn. */
const SLICE = 128;
/** When so large a share of the slots is spent, everything is read again. */
const MAX_SPENT = 0.3;

/**
 * Holds a LanceDB table in memory, exactly as it is at its present version, whichever process wrote it. A row's id names the
 * place it is stored at, and nothing is ever changed in its place: a row that is written again, or moved by
 * compaction, has a new id. So the list of ids shows what is new and what is gone.
 */
export class LanceMirror<Part extends MirrorPart> {
  readonly #options: MirrorOptions<Part>;
  #held: Held<Part> | undefined;
  #version: number | undefined;
  #look: number | undefined;
  #failed: number | undefined;
  #following: Promise<boolean> | undefined;
  #inBackground = false;

  constructor(options: MirrorOptions<Part>) {
    this.#options = options;
  }

  /**
   * What the table holds now. Undefined while that is still being read, or too large: then query the table.
   * `look` is the one the table was found by.
   */
  async follow(table: Table, look: number): Promise<{ rows: HeldRows; part: Part } | undefined> {
    if (this.#options.maxRows === 0) return undefined;
    if (this.#held !== undefined && this.#look === look) return this.#held;
    for (;;) {
      const version = await table.version();
      if (this.#version === version) {
        this.#look = look;
        return this.#held;
      }
      if (this.#inBackground || this.#failed === version) return undefined;
      this.#following ??= this.#catchUp(table, version).finally(() => (this.#following = undefined));
      if (!(await this.#following)) return undefined;
    }
  }

  clear(): void {
    this.#held = undefined;
    this.#version = undefined;
    this.#look = undefined;
  }

  /** Resolves with false when there is too much to wait for, or to hold. */
  async #catchUp(table: Table, version: number): Promise<boolean> {
    // A version that goes back is another table under the same name.
    if (version < (this.#version ?? 0)) this.clear();
    const rows = await table.countRows();
    if (rows > this.#options.maxRows) {
      this.clear();
      return false;
    }
    const held = this.#usable() ?? this.#empty();
    const { added, kept, gone } = compareIds(await listIds(table, rows), held);
    const work = async () => {
      const fresh = await readRows(table, held, added);
      // A slot that has been filled from a newer row meanwhile stays.
      for (const { id, slot } of gone) if (held.idOf[slot] === id) drop(held, slot);
      const entries = [...kept, ...fresh].sort((a, b) => a.id - b.id);
      held.ids = Float64Array.from(entries, ({ id }) => id);
      held.slots = Uint32Array.from(entries, ({ slot }) => slot);
      if (added.length > ROWS_AT_ONCE) held.part.settle?.();
      this.#held = held;
      this.#version = version;
    };
    // Too little memory is no reason to fail: the table still answers.
    const giveUp = () => {
      this.clear();
      this.#failed = version;
    };
    if (added.length <= ROWS_AT_ONCE)
      return work().then(
        () => true,
        () => {
          giveUp();
          return false;
        },
      );
    this.clear();
    this.#inBackground = true;
    void work()
      .catch(giveUp)
      .finally(() => (this.#inBackground = false));
    return false;
  }

  #usable(): Held<Part> | undefined {
    const held = this.#held;
    return held !== undefined && held.spent <= MAX_SPENT * held.rows.slots + ROWS_AT_ONCE ? held : undefined;
  }

  #empty(): Held<Part> {
    const [ids, slots] = [new Float64Array(0), new Uint32Array(0)];
    return { rows: new HeldRows(), part: this.#options.create(), ids, slots, idOf: [], spent: 0 };
  }
}

/** Takes in the rows of these ids, as far as they are still there. */
async function readRows<Part extends MirrorPart>(table: Table, held: Held<Part>, ids: number[]) {
  const fresh: { id: number; slot: number }[] = [];
  if (ids.length === 0) return fresh;
  const wanted = new Set(ids);
  const query = table.query().withRowId();
  if (held.ids.length > 0) query.where(`_rowid >= ${ids[0]}`);
  for await (const batch of query) {
    const batchIds = idsOf(batch);
    const fieldsOf = fieldsReader(batch);
    const values = batch.getChild(held.part.column)!;
    for (let row = 0; row < batch.numRows; row++) {
      if (row % SLICE === SLICE - 1) await setImmediate();
      const id = batchIds[row]!;
      if (!wanted.has(id)) continue;
      fresh.push({ id, slot: put(held, fieldsOf(row), values.get(row), id) });
    }
  }
  return fresh;
}

function put<Part extends MirrorPart>(
  held: Held<Part>,
  fields: Parameters<HeldRows['put']>[0],
  value: unknown,
  id: number,
): number {
  const { rows, part } = held;
  const known = rows.slotOf(fields.chunkId);
  const same = known !== undefined && part.holds(known, value);
  if (known !== undefined && !same && !part.rewritable) drop(held, known);
  const slot = rows.put(fields);
  if (!same) part.set(slot, value);
  held.idOf[slot] = id;
  return slot;
}

function drop<Part extends MirrorPart>(held: Held<Part>, slot: number): void {
  held.rows.remove(slot, held.part.rewritable);
  if (!held.part.rewritable) held.spent++;
}
