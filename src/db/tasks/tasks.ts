import type { Sql } from '../../ports/database.ts';
import { before } from '../before-id.ts';

export interface TaskRow {
  id: string;
  crawl_id: string;
  domain: string;
  parent_id: string | null;
  url: string;
  status: string;
  priority: number;
  depth: number;
  score: number | null;
  attempt: number;
  failures: number;
  max_retries: number;
  worker_id: string | null;
  http_status: number | null;
  code: string | null;
  message: string | null;
  response_ms: number | null;
  is_recurring: boolean;
  interval_s: number | null;
  visit: number;
  quarantined: boolean;
  dlq_retries: number;
  retry_at: Date | null;
  has_raw: boolean;
  created_by: string;
  due_at: Date;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

/** Its response is stored: its own, or, where the site said that nothing changed, that of the page. */
export const HAS_RAW = `(t.raw_ref IS NOT NULL
  OR EXISTS (SELECT 1 FROM pages p WHERE p.url_hash = t.url_hash AND p.raw_ref IS NOT NULL))`;

export const TASK_COLUMNS = `t.id, t.crawl_id, d.domain, t.parent_id, t.url, t.status, t.priority, t.depth, t.score, t.attempt, t.failures,
  t.max_retries, t.worker_id, t.http_status, t.code, t.message, t.response_ms, t.is_recurring, t.interval_s, t.visit,
  t.quarantined, t.dlq_retries, t.retry_at, ${HAS_RAW} AS has_raw, t.created_by, t.due_at, t.created_at, t.updated_at, t.started_at, t.completed_at`;

export interface TaskFilter {
  crawlId?: string | undefined;
  domain?: string | undefined;
  status?: string | undefined;
  code?: string | undefined;
  parentId?: string | undefined;
  /** Part of the address. */
  url?: string | undefined;
  before?: string | undefined;
  limit: number;
}

/** Newest first; `before` is the last id of the page before. */
export function listTaskRows(sql: Sql, filter: TaskFilter): Promise<TaskRow[]> {
  return sql.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks t JOIN domains d ON d.id = t.domain_id
     WHERE ($1::uuid IS NULL OR t.crawl_id = $1) AND ($2::text IS NULL OR d.domain = $2) AND ($3::text IS NULL OR t.status = $3)
       AND ($4::text IS NULL OR t.code = $4) AND ($5::uuid IS NULL OR t.parent_id = $5)
       AND ($6::text IS NULL OR position($6 IN t.url) > 0) AND ${before('t.id', '$7')}
     ORDER BY t.id DESC LIMIT $8`,
    [
      filter.crawlId ?? null,
      filter.domain ?? null,
      filter.status ?? null,
      filter.code ?? null,
      filter.parentId ?? null,
      filter.url ?? null,
      filter.before ?? null,
      filter.limit,
    ],
  );
}

export async function getTaskRow(sql: Sql, id: string): Promise<TaskRow | undefined> {
  const [row] = await sql.query<TaskRow>(
    `SELECT ${TASK_COLUMNS} FROM tasks t JOIN domains d ON d.id = t.domain_id WHERE t.id = $1`,
    [id],
  );
  return row;
}

export interface TaskErrorRow {
  id: string;
  attempt: number;
  category: string;
  code: string;
  message: string;
  worker_id: string | null;
  occurred_at: Date;
}

export function listTaskErrors(sql: Sql, taskId: string): Promise<TaskErrorRow[]> {
  return sql.query<TaskErrorRow>(
    'SELECT id, attempt, category, code, message, worker_id, occurred_at FROM task_errors WHERE task_id = $1 ORDER BY occurred_at, id LIMIT 200',
    [taskId],
  );
}

export function countTasks(
  sql: Sql,
  crawlId: string | undefined,
): Promise<{ status: string; code: string | null; tasks: number }[]> {
  return sql.query(
    `SELECT status, CASE WHEN status IN ('failed', 'skipped') THEN code END AS code, count(*)::int AS tasks FROM tasks
     WHERE $1::uuid IS NULL OR crawl_id = $1 GROUP BY 1, 2 ORDER BY 3 DESC`,
    [crawlId ?? null],
  );
}
