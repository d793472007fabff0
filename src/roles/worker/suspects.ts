import { type ClaimedTask, releaseTasks } from '../../db/frontier/frontier.ts';
import { markAlone } from '../../db/tasks/finish-tasks.ts';
import type { ExtractPool } from '../../pipeline/extract/pool.ts';
import type { Database } from '../../ports/database.ts';
import type { HeldTask, HeldTasks } from './held-tasks.ts';

interface SuspectsDeps {
  database: Database;
  workerId: string;
  held: HeldTasks;
  extractor: ExtractPool;
}

/** It was held more than once when a worker vanished. */
export const isSuspect = (task: ClaimedTask) => task.lost_workers > 1;

/**
 * Tasks that were held when a worker vanished. Each runs alone, so that a page that crashes workers is distinguished from the
 * pages that were held at the same time.
 */
export class Suspects {
  readonly #deps: SuspectsDeps;
  readonly #waiting: HeldTask[] = [];

  constructor(deps: SuspectsDeps) {
    this.#deps = deps;
  }

  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  add(held: HeldTask): void {
    this.#waiting.push(held);
  }

  /** The next one, if nothing else is under way. */
  next(): HeldTask | undefined {
    return this.#deps.held.size === this.#waiting.length ? this.#waiting.shift() : undefined;
  }

  /** Reading a page is the one step in which the page itself could end the worker: there a suspect is marked. */
  async watch<T>(task: ClaimedTask, body: Uint8Array, read: () => Promise<T>): Promise<T> {
    if (!isSuspect(task)) return read();
    const { database, extractor } = this.#deps;
    await extractor.ready(body);
    await markAlone(database, task.id, task.attempt, true);
    try {
      return await read();
    } finally {
      await markAlone(database, task.id, task.attempt, false);
    }
  }

  /** The worker stops: those that have not begun go back. */
  async giveBack(): Promise<void> {
    const { database, workerId, held } = this.#deps;
    const tasks = this.#waiting.splice(0).map(({ task }) => task);
    for (const task of tasks) held.remove(task);
    await releaseTasks(database, workerId, tasks).catch(() => {});
  }
}
