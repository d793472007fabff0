import type { Counters } from '../../ports/counters.ts';
import type { Database } from '../../ports/database.ts';

/** How often a process removes windows that are over. */
const SWEEP_MS = 30_000;
const SWEEP_ROWS = 10_000;

interface PostgresCountersOptions {
  database: Database;
  /** Milliseconds that only ever grow; tests bring their own. */
  now?: () => number;
}

/**
 * Counts of all processes in one table without a write-ahead log: a crash of the server loses the windows of that minute
 * and nothing else. The server's clock decides when a window ends.
 */
export function createPostgresCounters({ database, now = () => performance.now() }: PostgresCountersOptions): Counters {
  let sweptAt = now();

  /** Not awaited by any request; rows another process is counting in are left to the next sweep. */
  function sweep(): void {
    if (now() - sweptAt < SWEEP_MS) return;
    sweptAt = now();
    void database
      .query(
        `DELETE FROM counters WHERE key IN
           (SELECT key FROM counters WHERE ends_at <= now() ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
        [SWEEP_ROWS],
      )
      .catch(() => undefined);
  }

  return {
    shared: true,
    async increment(key, by, windowMs) {
      sweep();
      // One statement: the row's lock orders calls of all processes, and the window that is over starts again at `by`.
      const rows = await database.query<{ count: number }>(
        `INSERT INTO counters AS c (key, count, ends_at)
         VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
         ON CONFLICT (key) DO UPDATE SET
           count = CASE WHEN c.ends_at <= clock_timestamp() THEN excluded.count ELSE c.count + excluded.count END,
           ends_at = CASE WHEN c.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE c.ends_at END
         RETURNING count`,
        [key, by, windowMs / 1_000],
      );
      return rows[0]!.count;
    },
    async delete(keys) {
      await database.query('DELETE FROM counters WHERE key = ANY($1::text[])', [keys]);
    },
  };
}
