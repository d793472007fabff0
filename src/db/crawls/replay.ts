import type { Sql } from '../../ports/database.ts';
import { COUNT_MOVES, RESET, RETURN_MOVE } from '../tasks/control-tasks.ts';
import { movable } from '../tasks/states.ts';
import type { Moved } from './settle-crawls.ts';

export interface ReplayFilter {
  domain?: string | undefined;
  /** Visited in this span of time. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Pages whose product was read by this parser, and by this version of it. */
  parser?: string | undefined;
  parserVersion?: string | undefined;
  /** Tasks that ended after this moment are left alone: they have been read again already. */
  endedBefore: Date;
}

// The page still names the response of its last visit, so older visits of the same address do not match.
const MATCHING = `FROM tasks t JOIN domains d ON d.id = t.domain_id JOIN pages p ON p.url_hash = t.url_hash AND p.raw_ref = t.raw_ref
  WHERE ${movable('replay', 't.status')} AND t.completed_at < $1::timestamptz
    AND ($2::text IS NULL OR d.domain = $2) AND ($3::timestamptz IS NULL OR t.completed_at >= $3)
    AND ($4::timestamptz IS NULL OR t.completed_at < $4)
    AND ($5::text IS NULL OR EXISTS (
      SELECT 1 FROM products r WHERE r.page_id = p.id AND r.parser = $5 AND ($6::text IS NULL OR r.parser_version = $6)))`;

const values = (filter: ReplayFilter) => [
  filter.endedBefore,
  filter.domain ?? null,
  filter.since ?? null,
  filter.until ?? null,
  filter.parser ?? null,
  filter.parserVersion ?? null,
];

/** How many pages a replay would read again, by domain. */
export function countReplay(sql: Sql, filter: ReplayFilter): Promise<{ domain: string; pages: number }[]> {
  return sql.query(
    `SELECT d.domain, count(DISTINCT t.url_hash)::int AS pages ${MATCHING} GROUP BY 1 ORDER BY 2 DESC, 1`,
    values(filter),
  );
}

/** Puts the newest matching task of up to `limit` pages back into the frontier, to be read from its stored response alone. */
export function replayTasks(sql: Sql, filter: ReplayFilter, limit: number): Promise<Moved[]> {
  return sql.query(
    `WITH newest AS (
       SELECT DISTINCT ON (t.url_hash) t.id ${MATCHING} ORDER BY t.url_hash, t.id DESC LIMIT $7
     ), chosen AS (
       SELECT t.id, t.status AS phase FROM tasks t JOIN newest n ON n.id = t.id ORDER BY t.id FOR UPDATE OF t
     ), moved AS (
       UPDATE tasks t SET ${RESET}, failures = 0, parse_only = true, due_at = now(), ready = true
       FROM chosen WHERE t.id = chosen.id RETURNING ${RETURN_MOVE}
     ) ${COUNT_MOVES}`,
    [...values(filter), limit],
  );
}
