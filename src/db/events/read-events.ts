import type { Sql } from '../../ports/database.ts';
import type { Listing, Sorts } from '../listing.ts';
import type { EventData, EventKind } from './kinds.ts';

export type EventRow = {
  [Kind in EventKind]: {
    position: number;
    crawl_id: string | null;
    seq: number | null;
    kind: Kind;
    subject: string | null;
    data: EventData<Kind>;
    actor: string;
    created_at: Date;
  };
}[EventKind];

const COLUMNS = 'position, crawl_id, seq, kind, subject, data, actor, created_at';

/** In order, after `position`; of some kinds only, or of all. */
export function readEvents(
  sql: Sql,
  position: number,
  limit: number,
  kinds?: readonly EventKind[],
): Promise<EventRow[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM events WHERE position > $1 AND ($3::text[] IS NULL OR kind = ANY($3)) ORDER BY position LIMIT $2`,
    [position, limit, kinds ?? null],
  );
}

/** The events of a crawl in order, after number `seq`. Those without a position come later, as their turn comes. */
export function readCrawlEvents(sql: Sql, crawlId: string, seq: number, limit: number): Promise<EventRow[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM events WHERE crawl_id = $1 AND seq > $2 AND position IS NOT NULL ORDER BY seq LIMIT $3`,
    [crawlId, seq, limit],
  );
}

/** The smallest number of a crawl that retention has left; undefined when none is left. */
export async function findOldestSeq(sql: Sql, crawlId: string): Promise<number | undefined> {
  const [row] = await sql.query<{ seq: number | null }>('SELECT min(seq) AS seq FROM events WHERE crawl_id = $1', [
    crawlId,
  ]);
  return row?.seq ?? undefined;
}

export interface EventFilter {
  kinds?: readonly EventKind[] | undefined;
  crawlId?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Only behind this position. */
  after?: number | undefined;
  /** Kinds the caller may not see. */
  hidden: readonly EventKind[];
}

export const EVENT_SORTS = { position: { keys: [{ sql: 'position', type: 'bigint' }], order: 'desc' } } satisfies Sorts;

export const listEventRows = (filter: EventFilter): Listing<EventRow> => ({
  columns: COLUMNS,
  from: 'events',
  filters: [
    ['position IS NOT NULL'],
    ['kind = ANY (?)', filter.kinds],
    ['kind <> ALL (?)', filter.hidden],
    ['crawl_id = ?', filter.crawlId],
    ['created_at >= ?', filter.since],
    ['created_at < ?', filter.until],
    ['position > ?', filter.after],
  ],
});

/** Old events go in batches, the audit trail by a time of its own; returns how many went. */
export async function deleteOldEvents(sql: Sql, days: number, auditDays: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM events WHERE id IN (
       SELECT id FROM events
       WHERE created_at < now() - CASE WHEN kind = 'admin.action' THEN $2::int ELSE $1::int END * interval '1 day'
         AND created_at < now() - least($1::int, $2::int) * interval '1 day'
       ORDER BY created_at LIMIT $3)
     RETURNING id`,
    [days, auditDays, limit],
  );
  return rows.length;
}
