import type { Sql } from '../../ports/database.ts';
import type { Moved } from '../crawls/settle-crawls.ts';
import { WITHDRAW } from '../frontier/withdrawn.ts';
import { movable, PLANNED, phaseOf, type TaskStatus } from './states.ts';
import { HAS_RAW } from './tasks.ts';

/** What a control step may reach: one task, all of a crawl, or all of a domain. */
export interface TaskSelection {
  taskId?: string | undefined;
  crawlId?: string | undefined;
  domainId?: string | undefined;
}

const SELECTED = `($1::uuid IS NULL OR t.id = $1) AND ($2::uuid IS NULL OR t.crawl_id = $2) AND ($3::uuid IS NULL OR t.domain_id = $3)
  AND ($1::uuid IS NOT NULL OR $2::uuid IS NOT NULL OR $3::uuid IS NOT NULL)`;

const values = (selection: TaskSelection) => [
  selection.taskId ?? null,
  selection.crawlId ?? null,
  selection.domainId ?? null,
];

/** The end of a move: what `moved` holds, counted by crawl and domain. */
export const COUNT_MOVES = `SELECT crawl_id, domain_id, from_phase, to_phase, revisit, count(*)::int AS moved FROM moved GROUP BY 1, 2, 3, 4, 5`;
/** What `moved` returns of each task; `chosen` holds its phase before. */
export const RETURN_MOVE = `t.crawl_id, t.domain_id, chosen.phase AS from_phase, ${phaseOf('t')} AS to_phase, t.visit > 0 AS revisit`;

/** Moves tasks and counts what moved; `where`, `assign` and `also` are constants of the program, never input. */
function move(
  sql: Sql,
  selection: TaskSelection,
  where: string,
  assign: string,
  { more = [], also }: { more?: unknown[]; also?: string } = {},
): Promise<Moved[]> {
  return sql.query<Moved>(
    `WITH chosen AS (
       SELECT t.id, ${phaseOf('t')} AS phase FROM tasks t WHERE ${SELECTED} AND ${where} ORDER BY t.id FOR UPDATE
     ), ${also === undefined ? '' : `${also}, `}moved AS (
       UPDATE tasks t SET ${assign} FROM chosen WHERE t.id = chosen.id RETURNING ${RETURN_MOVE}
     ) ${COUNT_MOVES}`,
    [...values(selection), ...more],
  );
}

/** A task under way is paused too: the result its worker brings is refused. Its request counts until the site has answered. */
export const pauseTasks = (sql: Sql, selection: TaskSelection) =>
  move(sql, selection, movable('pause', 't.status'), `status = 'paused', lease_until = NULL`, { also: WITHDRAW });

export const resumeTasks = (sql: Sql, selection: TaskSelection) =>
  move(sql, selection, movable('resume', 't.status'), `status = 'pending', ready = t.due_at <= now()`);

export const cancelTasks = (sql: Sql, selection: TaskSelection) =>
  move(sql, selection, movable('cancel', 't.status'), CANCEL, { also: WITHDRAW });

const CANCEL = `status = 'cancelled', lease_until = NULL, completed_at = now(), code = 'CANCELLED'`;

/** The visits that crawls of a source have planned end where a new crawl of it begins: that plans its own. */
export function cancelPlannedVisits(sql: Sql, sourceId: string): Promise<Moved[]> {
  return sql.query<Moved>(
    `WITH chosen AS (
       SELECT t.id, 'planned' AS phase FROM tasks t JOIN crawls c ON c.id = t.crawl_id
       WHERE c.source_id = $1 AND c.visits_planned > 0 AND ${PLANNED('t')} ORDER BY t.id FOR UPDATE OF t
     ), moved AS (
       UPDATE tasks t SET ${CANCEL} FROM chosen WHERE t.id = chosen.id RETURNING ${RETURN_MOVE}
     ) ${COUNT_MOVES}`,
    [sourceId],
  );
}

/** A task as if it had never been tried, but for the number of failures; what it brought (raw_ref) stays. */
export const RESET = `status = 'pending', lost_workers = 0, lost_alone = 0, alone = false, quarantined = false, code = NULL,
  message = NULL, started_at = NULL, completed_at = NULL, lease_until = NULL, retry_at = NULL`;

export interface RestartOptions {
  priority?: number | undefined;
  scheduledAt?: Date | undefined;
  /** Only tasks in these states. */
  statuses: readonly TaskStatus[];
  failedAfter?: Date | undefined;
  code?: string | undefined;
  limit?: number | undefined;
  parseOnly: boolean;
  /** Its failures so far still count against its retries. */
  keepRetryCount?: boolean | undefined;
}

/** Runs tasks again from the start, or from the stored response alone (`parseOnly`). */
export function restartTasks(sql: Sql, selection: TaskSelection, options: RestartOptions): Promise<Moved[]> {
  return sql.query<Moved>(
    `WITH chosen AS (
       SELECT t.id, ${phaseOf('t')} AS phase FROM tasks t
       WHERE ($1::uuid IS NULL OR t.id = $1) AND ($2::uuid IS NULL OR t.crawl_id = $2) AND ($3::uuid IS NULL OR t.domain_id = $3)
         AND t.status = ANY($4::text[]) AND ($5::timestamptz IS NULL OR t.completed_at >= $5) AND ($6::text IS NULL OR t.code = $6)
         AND (NOT $9::boolean OR ${HAS_RAW})
       ORDER BY t.id LIMIT $7 FOR UPDATE
     ), moved AS (
       UPDATE tasks t SET ${RESET}, failures = CASE WHEN $11::boolean THEN t.failures ELSE 0 END,
         dlq_retries = CASE WHEN $11::boolean THEN t.dlq_retries ELSE 0 END, parse_only = $9::boolean, priority = coalesce($8::int, t.priority),
         due_at = coalesce($10::timestamptz, now()), ready = $10::timestamptz IS NULL OR $10::timestamptz <= now()
       FROM chosen WHERE t.id = chosen.id RETURNING ${RETURN_MOVE}
     ) ${COUNT_MOVES}`,
    [
      ...values(selection),
      options.statuses,
      options.failedAfter ?? null,
      options.code ?? null,
      options.limit ?? 1_000_000,
      options.priority ?? null,
      options.parseOnly,
      options.scheduledAt ?? null,
      options.keepRetryCount ?? false,
    ],
  );
}

export const setTaskPriority = (sql: Sql, selection: TaskSelection, priority: number) =>
  move(sql, selection, movable('cancel', 't.status'), 'priority = $4::int', { more: [priority] });
