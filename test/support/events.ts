import { EVENT_KINDS } from '../../src/db/events/kinds.ts';
import type { EventRow } from '../../src/db/events/read-events.ts';
import { sequenceEvents } from '../../src/db/events/sequence-events.ts';
import type { Database } from '../../src/ports/database.ts';

/** The whole log in its order, or that of one crawl; every entry is held to the shape its kind promises. */
export async function readLog(database: Database, crawlId?: string): Promise<EventRow[]> {
  await sequenceEvents(database);
  const rows = await database.query<EventRow>(
    `SELECT position, crawl_id, seq, kind, subject, data, actor, created_at FROM events
     WHERE $1::uuid IS NULL OR crawl_id = $1 ORDER BY position`,
    [crawlId ?? null],
  );
  for (const { kind, data } of rows) EVENT_KINDS[kind].parse(data);
  return rows;
}
