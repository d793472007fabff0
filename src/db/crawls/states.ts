import { oneOf } from '../tasks/states.ts';

/**
 * The life of a crawl. Its tasks decide: `settleCrawls` starts, ends and opens it as they move, a user only pauses,
 * resumes, cancels and restarts.
 *
 *   pending ── start: a task was claimed ──► running ── end: no task is open, no job may add one ──► completed
 *     │                                      │    ▲                                                  failed
 *     └───────────────── pause ──────────────┤    │                                                  cancelled
 *                                            ▼    │                                                     │
 *                                          paused ┴─ resume              running ◄── open: a task is due again
 *
 * - completed: a page was fetched. failed: none was. cancelled: all of it was given up, or a user cancelled it.
 * - Planned visits of a recurring crawl (PLANNED in db/tasks/states.ts) do not keep it open: it ends after the first visits of
 *   its pages, and opens again for as long as visits are due. Its page limit is about first visits.
 * - A crawl that is over and has visits planned can still be paused and cancelled: that is how they are stopped.
 */
export const CRAWL_STATUSES = ['pending', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type CrawlStatus = (typeof CRAWL_STATUSES)[number];

export const CRAWLS_OPEN: readonly CrawlStatus[] = ['pending', 'running', 'paused'];
export const CRAWLS_OVER: readonly CrawlStatus[] = ['completed', 'failed', 'cancelled'];

interface Move {
  from: readonly CrawlStatus[];
  to: readonly CrawlStatus[];
  /** Further states it may start from while visits are planned. */
  planned?: readonly CrawlStatus[];
}

export const CRAWL_MOVES = {
  start: { from: ['pending'], to: ['running'] },
  end: { from: CRAWLS_OPEN, to: CRAWLS_OVER },
  open: { from: CRAWLS_OVER, to: ['running'] },
  pause: { from: ['pending', 'running'], to: ['paused'], planned: ['completed', 'failed'] },
  resume: { from: ['paused'], to: ['running'] },
  cancel: { from: CRAWLS_OPEN, to: ['cancelled'], planned: ['completed', 'failed'] },
  restart: { from: CRAWL_STATUSES, to: ['running'] },
} as const satisfies Record<string, Move>;

/** What a user may do to a crawl. */
export type CrawlStep = 'pause' | 'resume' | 'cancel' | 'restart';

/** `column IN (…)` with the states of a crawl that goes on or may go on. */
export const CRAWL_OPEN = (column = 'status') => oneOf(CRAWLS_OPEN, column);
