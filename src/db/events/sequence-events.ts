import type { Database, Sql } from '../../ports/database.ts';

const BATCH = 10_000;

/**
 * Gives every committed event its position, and returns the last one given. Any reader may call it, in any process: one
 * at a time does the work, and afterwards every event that was committed before the call has a position.
 *
 * Positions are given after the commit, so an event can never turn up behind a position that was read already. Within one
 * round the order of writing decides, which keeps the events of a crawl in the order of their numbers: the later one was
 * written under a lock that the earlier transaction had released.
 */
export async function sequenceEvents(database: Database): Promise<number> {
  for (;;) {
    const { position, waiting } = await readHead(database);
    if (!waiting) return position;
    const given = await database.transaction(async (tx) => {
      await lockHead(tx);
      return givePositions(tx);
    });
    if (given < BATCH) return (await readHead(database)).position;
  }
}

/** The last position given, and whether events wait for theirs. */
async function readHead(sql: Sql): Promise<{ position: number; waiting: boolean }> {
  const rows = await sql.query<{ position: number; waiting: boolean }>(
    'SELECT position, EXISTS (SELECT 1 FROM events WHERE position IS NULL) AS waiting FROM event_head',
  );
  return rows[0]!;
}

/** A statement of its own: the next one must see what the holder before this one wrote. */
async function lockHead(sql: Sql): Promise<void> {
  await sql.query('SELECT 1 FROM event_head FOR UPDATE');
}

/** Returns how many positions were given. The head must be locked. */
async function givePositions(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ given: number }>(
    `WITH fresh AS (
       SELECT id, row_number() OVER (ORDER BY id) AS nth
       FROM (SELECT id FROM events WHERE position IS NULL ORDER BY id LIMIT $1) unplaced
     ), placed AS (
       UPDATE events e SET position = h.position + f.nth FROM fresh f, event_head h WHERE e.id = f.id RETURNING 1
     ), counted AS (
       SELECT count(*)::int AS given FROM placed
     )
     UPDATE event_head SET position = position + counted.given FROM counted RETURNING counted.given`,
    [BATCH],
  );
  return row?.given ?? 0;
}
