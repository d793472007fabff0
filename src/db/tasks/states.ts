/**
 * The life of a task. Every statement that changes a status takes what it may change from the table below.
 *
 *                     release, reap, or finish with a retry
 *             ┌──────────────────────┬────────────────────────┐
 *             ▼                      │                        │
 *   admit ─► pending ──── claim ──► crawling ── answer ──► parsing ── finish ──► completed
 *             │   ▲                  │                          ▲                failed
 *          deliver│                  │                          │                skipped
 *             ▼   │                download                     │                   │
 *           queued┼─ claim_delivered │                       take_over              │
 *                 │                  ▼                          │                   │
 *                 │             downloaded ─ deliver_parse ─► queued_parse          │
 *                 └─────────────── restart, revive (failed), replay ────────────────┘
 *
 *   what is open ─ pause ─► paused ─ resume ─► pending        what is open or paused ─ cancel ─► cancelled
 *
 * queued and queued_parse exist only where a broker delivers, downloaded only where fetching and parsing are two roles.
 *
 * A planned visit is a pending task that waits for its time: see PLANNED. It is in no counter until then.
 */
export const TASK_STATUSES = [
  'pending',
  'queued',
  'crawling',
  'downloaded',
  'queued_parse',
  'parsing',
  'completed',
  'failed',
  'skipped',
  'paused',
  'cancelled',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

interface Move {
  from: readonly TaskStatus[];
  to: readonly TaskStatus[];
}

const OPEN = ['pending', 'queued', 'crawling', 'downloaded', 'queued_parse', 'parsing'] as const;
const HELD = ['crawling', 'parsing'] as const;
const OVER = ['completed', 'failed', 'skipped', 'cancelled'] as const;

export const TASK_MOVES = {
  deliver: { from: ['pending'], to: ['queued'] },
  /** A task that only has to be read again goes to parsing at once. */
  claim: { from: ['pending'], to: ['crawling', 'parsing'] },
  claim_delivered: { from: ['queued'], to: ['crawling', 'parsing'] },
  answer: { from: ['crawling'], to: ['parsing'] },
  /** Also from parsing: that is what a task is called from the site's answer on. */
  download: { from: HELD, to: ['downloaded'] },
  deliver_parse: { from: ['downloaded'], to: ['queued_parse'] },
  take_over: { from: ['downloaded', 'queued_parse'], to: ['parsing'] },
  release: { from: HELD, to: ['pending'] },
  finish: { from: HELD, to: ['completed', 'failed', 'skipped', 'pending'] },
  reap: { from: HELD, to: ['pending', 'failed'] },
  pause: { from: OPEN, to: ['paused'] },
  resume: { from: ['paused'], to: ['pending'] },
  cancel: { from: [...OPEN, 'paused'], to: ['cancelled'] },
  /** A task that waits may be restarted too: that is how its time and priority change. */
  restart: { from: ['pending', 'paused', ...OVER], to: ['pending'] },
  revive: { from: ['failed'], to: ['pending'] },
  replay: { from: ['completed', 'failed', 'skipped'], to: ['pending'] },
} as const satisfies Record<string, Move>;
export type TaskMove = keyof typeof TASK_MOVES;

/** What a worker holds a lease on. */
export const HELD_TASKS: readonly TaskStatus[] = HELD;

/** Their response is stored and waits for a parser. */
export const STORED_TASKS: readonly TaskStatus[] = TASK_MOVES.take_over.from;

/** Tasks in these states stay as they are until a user or a schedule moves them. */
export const TASKS_OVER: readonly TaskStatus[] = OVER;

/** `column IN (…)` with the states a move starts from. */
export const movable = (move: TaskMove, column = 'status') => oneOf(TASK_MOVES[move].from, column);

/** `column IN (…)`; the states are constants of the program. */
export const oneOf = (states: readonly string[], column = 'status') =>
  `${column} IN (${states.map((state) => `'${state}'`).join(', ')})`;

/**
 * A further visit of a page that is not due and was not tried yet. It keeps no crawl open and counts among no
 * pages: it joins them when it is due, or when a user pauses, cancels or restarts it.
 */
export const PLANNED = (task: string) =>
  `(${task}.status = 'pending' AND NOT ${task}.ready AND ${task}.visit > 0 AND ${task}.attempt = 0)`;

/** The status of a task, or `planned`. */
export const phaseOf = (task: string) => `CASE WHEN ${PLANNED(task)} THEN 'planned' ELSE ${task}.status END`;
