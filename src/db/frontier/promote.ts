import type { Sql } from '../../ports/database.ts';
import type { Moved } from '../crawls/settle-crawls.ts';
import { COUNT_MOVES, RETURN_MOVE } from '../tasks/control-tasks.ts';
import { PLANNED } from '../tasks/states.ts';

/** Moves tasks whose time has come, all but planned visits, into the claim index. Returns the domains they belong to. */
export function promoteDue(sql: Sql, limit: number): Promise<{ domain_id: string }[]> {
  return sql.query(
    `WITH due AS (
       SELECT id FROM tasks t WHERE status = 'pending' AND NOT ready AND due_at <= now() AND NOT ${PLANNED('t')}
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     UPDATE tasks SET ready = true FROM due WHERE tasks.id = due.id RETURNING tasks.domain_id`,
    [limit],
  );
}

/** The same for planned visits: from now on they count among the pages of their crawls. */
export function promoteVisits(sql: Sql, limit: number): Promise<Moved[]> {
  return sql.query(
    `WITH chosen AS (
       SELECT t.id, 'planned' AS phase FROM tasks t WHERE ${PLANNED('t')} AND t.due_at <= now()
       ORDER BY t.due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), moved AS (
       UPDATE tasks t SET ready = true FROM chosen WHERE t.id = chosen.id RETURNING ${RETURN_MOVE}
     ) ${COUNT_MOVES}`,
    [limit],
  );
}
