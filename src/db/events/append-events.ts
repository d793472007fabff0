import { currentActor } from '../../actor.ts';
import type { Transaction } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import type { EventData, EventKind } from './kinds.ts';

export type NewEvent = {
  [Kind in EventKind]: {
    kind: Kind;
    data: EventData<Kind>;
    /** The crawl whose stream it belongs to. */
    crawl_id?: string | null;
    subject?: string | null;
    /** Absent: the caller of the request under way, or the system. */
    actor?: string;
  };
}[EventKind];

/**
 * Writes events in the transaction of the change they report. Events of a crawl take its next numbers: that locks the
 * crawl's row until the transaction ends, so numbers have no gaps and follow the order of commits. Call it last, where the
 * row is locked anyway; several crawls are locked in the order of their ids, as everywhere.
 */
export async function appendEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `WITH input AS (
       SELECT *, row_number() OVER (PARTITION BY crawl_id ORDER BY nth) AS step
       FROM ROWS FROM (json_to_recordset($1::json) AS (crawl_id uuid, kind text, subject text, data jsonb, actor text))
         WITH ORDINALITY AS x (crawl_id, kind, subject, data, actor, nth)
     ), locked AS (
       SELECT id FROM crawls WHERE id IN (SELECT crawl_id FROM input) ORDER BY id FOR UPDATE
     ), numbered AS (
       UPDATE crawls c SET event_seq = c.event_seq + n.events
       FROM (SELECT crawl_id, count(*) AS events FROM input JOIN locked ON locked.id = input.crawl_id GROUP BY 1) n
       WHERE c.id = n.crawl_id RETURNING c.id, c.event_seq - n.events AS before
     )
     INSERT INTO events (crawl_id, seq, kind, subject, data, actor)
     SELECT i.crawl_id, n.before + i.step, i.kind, i.subject, i.data, i.actor
     FROM input i LEFT JOIN numbered n ON n.id = i.crawl_id
     WHERE i.crawl_id IS NULL OR n.id IS NOT NULL
     ORDER BY i.nth`,
    [toJson(events.map((event) => ({ actor: currentActor(), ...event })))],
  );
}
