import { HELD_TASKS, movable, oneOf, STORED_TASKS } from '../tasks/states.ts';

/**
 * What keeps a ready task from being claimed, as parts of the claim. Each is a subquery that yields one value, not a join:
 * the claim must go on reading its index in order and stop when it has enough.
 */

/** The crawls whose own pace does not allow a request to the domain yet; null when there are none. */
export const SLOW_CRAWLS = (domain: string, aheadMs: string) => `
  SELECT array_agg(pace.crawl_id) AS crawls FROM crawl_paces pace
  WHERE pace.domain_id = ${domain} AND pace.next_at > now() + ${aheadMs}::int * interval '1 ms'`;

/** Its crawl is not among the slow ones, and its address is not under way: the task waits for that answer and takes it. */
export const MAY_START = (task: string, slow: string) => `(${slow} IS NULL OR ${task}.crawl_id <> ALL (${slow}))
  AND ${hasNoTwin(task, HELD_TASKS)} AND ${hasNoTwin(task, STORED_TASKS)}`;

/** One probe of the index of these states: tasks_in_flight_idx, tasks_stored_idx. */
const hasNoTwin = (task: string, states: readonly string[]) => `(
  SELECT twin.id FROM tasks twin WHERE twin.domain_id = ${task}.domain_id AND twin.url_hash = ${task}.url_hash
    AND ${oneOf(states, 'twin.status')} LIMIT 1) IS NULL`;

/** Whether a domain that gave nothing has tasks that may not start yet: it then goes on waiting. */
export const HELD_BACK = (domain: string) => `coalesce((
  SELECT true FROM tasks w WHERE w.domain_id = ${domain} AND ${movable('claim', 'w.status')} AND w.ready LIMIT 1), false)`;

/**
 * When to look again: soon while an address may be under way, else when a slow crawl may send again. Not later than in a
 * second: other crawls may have come to the domain meanwhile.
 */
export const LOOK_AGAIN_AT = (domain: string) => `coalesce(
  (SELECT now() + interval '100 ms' FROM tasks f WHERE f.domain_id = ${domain} AND ${oneOf(HELD_TASKS, 'f.status')} LIMIT 1),
  (SELECT now() + interval '100 ms' FROM tasks f WHERE f.domain_id = ${domain} AND ${oneOf(STORED_TASKS, 'f.status')} LIMIT 1),
  (SELECT least(min(pace.next_at), now() + interval '1 s') FROM crawl_paces pace
    WHERE pace.domain_id = ${domain} AND pace.next_at > now()),
  now())`;
