/** What a worker was told. `ids` absent means: work may wait, claim by the frontier's own rule. */
export interface Delivery {
  ids?: string[];
  /** Called after the claims of this delivery are committed; a delivery that is never settled comes again. */
  settle(): Promise<void>;
}

/**
 * Delivers task ids to workers, and nothing else: a task's state changes only in Postgres, so a delivery that is lost,
 * doubled or late is harmless.
 *
 * Contract:
 * - `receive` resolves at once when something was announced since the last call, else when something is, else with an
 *   empty delivery after `waitMs`, or when `signal` aborts.
 * - Any number of processes may announce and receive.
 */
export interface Dispatch extends AsyncDisposable {
  /** True where a broker delivers: tasks then pass through `queued`. */
  readonly brokered: boolean;
  announce(tasks: readonly { id: string; priority: number }[]): Promise<void>;
  receive(max: number, waitMs: number, signal: AbortSignal): Promise<Delivery>;
}
