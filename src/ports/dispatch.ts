import type { Engine } from './engine.ts';

/** What is delivered: to `fetch` a domain that has tasks, to `parse` a task whose response is stored. */
export type Work = 'fetch' | 'parse';

/** A domain, or a task. */
export interface Due {
  id: string;
  /** 1 is first; a broker with priorities delivers in this order. */
  priority: number;
}

export interface Delivery {
  /** Absent: work may wait, claim by the frontier's own rule. */
  ids?: readonly string[];
  /** Called after the claims of this delivery are committed; a delivery that is never settled comes again. */
  settle(): Promise<void>;
}

/**
 * Delivers ids to workers, and nothing else: a task's state changes only in Postgres, so a delivery that is lost, doubled
 * or late is harmless.
 *
 * Contract:
 * - `announce` names every domain or task there is work for; an empty list therefore announces nothing. It resolves
 *   whether or not the engine took it: what is lost is found by polling.
 * - `receive` gives what was announced of this kind of work since the last call, at once, or else waits for it. Undefined:
 *   nothing came within `waitMs`, `signal` aborted, or the dispatch was disposed of.
 * - Where a broker delivers, each id goes to one receiver, at most `max` in a delivery. Without a broker, every process
 *   that receives is woken.
 * - Any number of processes may announce and receive.
 */
export interface Dispatch extends Engine, AsyncDisposable {
  /** True where a broker delivers: tasks then pass through `queued_parse`. */
  readonly brokered: boolean;
  announce(work: Work, due: readonly Due[]): Promise<void>;
  receive(work: Work, max: number, waitMs: number, signal: AbortSignal): Promise<Delivery | undefined>;
}
