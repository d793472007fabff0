import type { Sql, Transaction } from '../../ports/database.ts';
import { CRAWL_OPEN } from '../crawls/states.ts';
import { SOURCE_COLUMNS, type SourceRow } from './sources.ts';

const OPEN_CRAWL = `SELECT c.id FROM crawls c WHERE c.source_id = $1 AND ${CRAWL_OPEN('c.status')} LIMIT 1`;

/** Sources whose time has come and whose last crawl is over, the longest due first. */
export function listDueSources(sql: Sql, limit: number): Promise<(SourceRow & { next_run_at: Date })[]> {
  return sql.query(
    `SELECT ${SOURCE_COLUMNS}
     FROM sources s WHERE s.is_active AND s.next_run_at <= now() AND NOT EXISTS (${OPEN_CRAWL.replace('$1', 's.id')})
     ORDER BY s.next_run_at LIMIT $1`,
    [limit],
  );
}

/** Notes, once, which due sources have to wait for the end of their last crawl. */
export function noteWaitingSources(sql: Sql): Promise<{ id: string; name: string }[]> {
  return sql.query(
    `UPDATE sources s SET waiting_since = s.next_run_at
     WHERE s.is_active AND s.next_run_at <= now() AND s.waiting_since IS NULL AND EXISTS (${OPEN_CRAWL.replace('$1', 's.id')})
     RETURNING s.id, s.name`,
  );
}

/** Keeps others from starting the same source until the transaction ends; says when it is due and what runs already. */
export async function lockSource(
  tx: Transaction,
  id: string,
): Promise<{ next_run_at: Date | null; open_crawl_id: string | undefined } | undefined> {
  const [source] = await tx.query<{ next_run_at: Date | null }>(
    'SELECT next_run_at FROM sources WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  if (source === undefined) return undefined;
  const [open] = await tx.query<{ id: string }>(OPEN_CRAWL, [id]);
  return { next_run_at: source.next_run_at, open_crawl_id: open?.id };
}

/** A run begins; `nextRunAt` undefined leaves the schedule as it is. */
export async function beginRun(sql: Sql, id: string, nextRunAt: Date | null | undefined): Promise<void> {
  await sql.query(
    `UPDATE sources SET last_crawled_at = now(), last_error = NULL,
       waiting_since = CASE WHEN $3 THEN NULL ELSE waiting_since END, next_run_at = CASE WHEN $3 THEN $2 ELSE next_run_at END
     WHERE id = $1`,
    [id, nextRunAt ?? null, nextRunAt !== undefined],
  );
}

/** A run could not begin: says why, and goes on with the schedule. False when another scheduler did so already. */
export async function missRun(
  sql: Sql,
  id: string,
  due: Date,
  nextRunAt: Date | null,
  error: string,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE sources SET last_error = $4, waiting_since = NULL, next_run_at = $3
     WHERE id = $1 AND date_trunc('milliseconds', next_run_at) = $2 RETURNING id`,
    [id, due, nextRunAt, error],
  );
  return rows.length > 0;
}
