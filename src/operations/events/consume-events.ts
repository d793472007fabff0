import { lockReader, moveReader } from '../../db/events/event-readers.ts';
import type { EventKind } from '../../db/events/kinds.ts';
import { type EventRow, readEvents } from '../../db/events/read-events.ts';
import { sequenceEvents } from '../../db/events/sequence-events.ts';
import type { Database, Transaction } from '../../ports/database.ts';

const BATCH = 500;

/**
 * Passes the next events of some kinds to a reader that acts on them (`event_readers` names it). Its position moves in the
 * transaction of the act, so every event acts exactly once, however many processes run the reader. Returns how many events
 * were taken; 0 as well while another process has the reader's place.
 */
export async function consumeEvents<Kind extends EventKind>(
  database: Database,
  reader: string,
  kinds: readonly Kind[],
  act: (tx: Transaction, events: readonly Extract<EventRow, { kind: Kind }>[]) => Promise<void>,
): Promise<number> {
  const head = await sequenceEvents(database);
  return database.transaction(async (tx) => {
    const position = await lockReader(tx, reader);
    if (position === undefined || position >= head) return 0;
    const events = (await readEvents(tx, position, BATCH, kinds)) as Extract<EventRow, { kind: Kind }>[];
    if (events.length > 0) await act(tx, events);
    const last = events.at(-1)?.position ?? position;
    await moveReader(tx, reader, events.length === BATCH ? last : Math.max(head, last));
    return events.length;
  });
}
