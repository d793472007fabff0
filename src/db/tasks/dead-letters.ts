import type { Sql } from '../../ports/database.ts';
import type { Moved } from '../crawls/settle-crawls.ts';
import { COUNT_MOVES, RESET, RETURN_MOVE } from './control-tasks.ts';
import { movable } from './states.ts';

/** The crawls of failed tasks whose time to be tried again has come; those of a paused crawl wait for it. */
export function listDeadLetterCrawls(sql: Sql, limit: number): Promise<{ crawl_id: string }[]> {
  return sql.query(
    `SELECT DISTINCT crawl_id FROM (
       SELECT t.crawl_id FROM tasks t JOIN crawls c ON c.id = t.crawl_id
       WHERE t.status = 'failed' AND t.retry_at <= now() AND c.status <> 'paused' ORDER BY t.retry_at LIMIT $1
     ) due`,
    [limit],
  );
}

/**
 * Puts due failed tasks of locked crawls back. A task that another transaction has locked is skipped: that transaction
 * may be waiting for the crawl.
 */
export function reviveTasks(sql: Sql, crawlIds: readonly string[], limit: number): Promise<Moved[]> {
  return sql.query(
    `WITH chosen AS (
       SELECT id, status AS phase FROM tasks WHERE crawl_id = ANY($1::uuid[]) AND ${movable('revive')} AND retry_at <= now()
       ORDER BY retry_at LIMIT $2 FOR UPDATE SKIP LOCKED
     ), moved AS (
       UPDATE tasks t SET ${RESET}, failures = 0, dlq_retries = t.dlq_retries + 1, ready = true, due_at = now()
       FROM chosen WHERE t.id = chosen.id RETURNING ${RETURN_MOVE}
     ) ${COUNT_MOVES}`,
    [crawlIds, limit],
  );
}

/** Failed tasks of crawls that are over stay failed until a user restarts them. */
export async function retireTasks(sql: Sql, crawlIds: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE tasks t SET retry_at = NULL FROM (
       SELECT id FROM tasks WHERE crawl_id = ANY($1::uuid[]) AND status = 'failed' AND retry_at <= now() FOR UPDATE SKIP LOCKED
     ) due WHERE t.id = due.id`,
    [crawlIds],
  );
}
