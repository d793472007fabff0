import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';

/** Row ids in rising order, and the slot each row is held in. */
export interface HeldIds {
  ids: Float64Array;
  slots: Uint32Array;
}

/** All row ids of a table, in rising order. In one batch: a batch costs more than the ids in it. */
export async function listIds(table: Table, rows: number): Promise<Float64Array> {
  const { batches, numRows } = await table
    .query()
    .select(['_rowid'])
    .toArrow({ maxBatchLength: rows + 1 });
  const ids = new Float64Array(numRows);
  let at = 0;
  for (const batch of batches) {
    const part = idsOf(batch);
    ids.set(part, at);
    at += part.length;
  }
  return ids.sort();
}

/** A row id is 64 bits wide: the number of its file above the place in it. Both together stay below 2^53. */
export function idsOf(batch: RecordBatch): Float64Array {
  const ids = new Float64Array(batch.numRows);
  for (const { offset, values, length } of batch.getChild('_rowid')!.data) {
    const wide = values.subarray(0, length) as BigUint64Array;
    const halves = new Uint32Array(wide.buffer, wide.byteOffset, length * 2);
    for (let at = 0; at < length; at++) ids[offset + at] = halves[2 * at + 1]! * 2 ** 32 + halves[2 * at]!;
  }
  return ids;
}

/** What is in the list and not held, what is held still, and what is not in the list any more. */
export function compareIds(list: Float64Array, held: HeldIds) {
  const added: number[] = [];
  const kept: { id: number; slot: number }[] = [];
  const gone: { id: number; slot: number }[] = [];
  let at = 0;
  for (let place = 0; place < held.ids.length; place++) {
    const entry = { id: held.ids[place]!, slot: held.slots[place]! };
    while (at < list.length && list[at]! < entry.id) added.push(list[at++]!);
    if (list[at] === entry.id) {
      kept.push(entry);
      at++;
    } else gone.push(entry);
  }
  while (at < list.length) added.push(list[at++]!);
  return { added, kept, gone };
}
