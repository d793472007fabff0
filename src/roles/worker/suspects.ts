import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import { markAlone } from '../../db/tasks/finish-tasks.ts';
import type { ExtractPool } from '../../pipeline/extract/pool.ts';
import type { Database } from '../../ports/database.ts';

interface SuspectsDeps {
  database: Database;
  extractor: ExtractPool;
}

/** It was held more than once when a worker vanished. */
const isSuspect = (task: ClaimedTask) => task.lost_workers > 1;

/**
 * Tasks that were held when a worker vanished. Reading a page is the one step in which the page itself could end the worker. So a
 * suspect is fetched like any other page, but read alone and marked meanwhile: a page that ends workers is distinguished from
 * pages that were held at the same time, and the worker goes on asking sites.
 *
 *   other pages   read ── read ─┐              ┌─ read ── …
 *   suspect                     └ marked, read ┘
 */
export class Suspects {
  readonly #deps: SuspectsDeps;
  #readers = 0;
  /** Settles when the suspect that is read, or waits for the readers before it to end, is done. */
  #alone: Promise<void> | undefined;
  #ended: (() => void) | undefined;

  constructor(deps: SuspectsDeps) {
    this.#deps = deps;
  }

  /** Reads a page: beside others, or alone. */
  async watch<T>(task: ClaimedTask, body: Uint8Array, read: () => Promise<T>): Promise<T> {
    while (this.#alone !== undefined) await this.#alone;
    return isSuspect(task) ? this.#readAlone(task, body, read) : this.#readBeside(read);
  }

  async #readBeside<T>(read: () => Promise<T>): Promise<T> {
    this.#readers++;
    try {
      return await read();
    } finally {
      this.#readers--;
      if (this.#readers === 0) this.#ended?.();
    }
  }

  async #readAlone<T>(task: ClaimedTask, body: Uint8Array, read: () => Promise<T>): Promise<T> {
    const { database, extractor } = this.#deps;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#alone = promise;
    try {
      if (this.#readers > 0) await new Promise<void>((ended) => (this.#ended = ended));
      await extractor.ready(body);
      await markAlone(database, task.id, task.attempt, true);
      try {
        return await read();
      } finally {
        await markAlone(database, task.id, task.attempt, false);
      }
    } finally {
      this.#ended = undefined;
      this.#alone = undefined;
      resolve();
    }
  }
}
