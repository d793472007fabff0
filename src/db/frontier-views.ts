import type { Sql } from '../ports/database.ts';

export interface FrontierFigures {
  waiting: number;
  delayed: number;
  in_flight: number;
  paused: number;
  domains_waiting: number;
  domains_due: number;
  domains_blocked: number;
  circuits_open: number;
  oldest_at: Date | null;
}

/** Each count reads one partial index and stops at `most`: the frontier may hold millions. */
export async function readFrontierFigures(sql: Sql, most: number): Promise<FrontierFigures> {
  const rows = await sql.query<FrontierFigures>(
    `SELECT
       (SELECT count(*) FROM (SELECT FROM tasks WHERE status = 'pending' AND ready LIMIT $1) t) AS waiting,
       (SELECT count(*) FROM (SELECT FROM tasks WHERE status = 'pending' AND NOT ready LIMIT $1) t) AS delayed,
       (SELECT count(*) FROM (SELECT FROM tasks WHERE status IN ('crawling', 'parsing') LIMIT $1) t) AS in_flight,
       (SELECT count(*) FROM (SELECT FROM tasks
         WHERE status NOT IN ('completed', 'failed', 'skipped', 'cancelled') AND status = 'paused' LIMIT $1) t) AS paused,
       (SELECT count(*) FROM domains WHERE waiting AND is_active) AS domains_waiting,
       (SELECT count(*) FROM domains WHERE waiting AND is_active AND next_at <= now()) AS domains_due,
       (SELECT count(*) FROM domains WHERE NOT is_active) AS domains_blocked,
       (SELECT count(*) FROM domains WHERE circuit_state <> 'closed') AS circuits_open,
       (SELECT min(created_at) FROM crawls WHERE status IN ('pending', 'running')) AS oldest_at`,
    [most],
  );
  return rows[0]!;
}

/** Where the most waits, among the first `most` waiting tasks. */
export function listBusiestDomains(
  sql: Sql,
  most: number,
): Promise<{ domain: string; waiting: number; next_at: Date | null }[]> {
  return sql.query(
    `SELECT d.domain, w.waiting, CASE WHEN isfinite(d.next_at) THEN d.next_at END AS next_at FROM (
       SELECT domain_id, count(*) AS waiting FROM (SELECT domain_id FROM tasks WHERE status = 'pending' AND ready LIMIT $1) t
       GROUP BY domain_id ORDER BY waiting DESC LIMIT 20
     ) w JOIN domains d ON d.id = w.domain_id ORDER BY w.waiting DESC, d.domain`,
    [most],
  );
}

export function listOpenCrawlIds(sql: Sql): Promise<{ id: string }[]> {
  return sql.query(`SELECT id FROM crawls WHERE status IN ('pending', 'running', 'paused') ORDER BY id`);
}
