import { randomUUID } from 'node:crypto';
import type { Database } from '../../ports/database.ts';
import type { Delivery, Dispatch } from '../../ports/dispatch.ts';

interface PostgresDispatchOptions {
  database: Database;
  /** Shortest time between two notices of this process. */
  gapMs?: number;
}

const CHANNEL = 'crawl4r_tasks';
const NOTHING: Delivery = { settle: async () => {} };

/**
 * Wakes workers by NOTIFY; what they then do is claim by the frontier's own rule. A notice says only that there may be
 * work, so many announcements become one, and a notice that is lost costs one poll interval.
 */
export function createPostgresDispatch({ database, gapMs = 20 }: PostgresDispatchOptions): Dispatch {
  // Own notices come back too; the process that sent one has been woken already.
  const self = randomUUID();
  const waiting = new Set<() => void>();
  let announced = false;
  let closed = false;
  let listening: Promise<AsyncDisposable> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();
  let lastSent = Number.NEGATIVE_INFINITY;

  function wake(): void {
    announced = waiting.size === 0;
    for (const resume of [...waiting]) resume();
  }

  function notify(): Promise<unknown> {
    clearTimeout(timer);
    timer = undefined;
    lastSent = performance.now();
    sending = database.query('SELECT pg_notify($1, $2)', [CHANNEL, self]);
    return sending;
  }

  async function listen(): Promise<void> {
    listening ??= database.listen(CHANNEL, (payload) => {
      if (payload !== self) wake();
    });
    try {
      await listening;
    } catch {
      // Without a listener the caller polls; the next call tries again.
      listening = undefined;
    }
  }

  return {
    brokered: false,
    async announce(tasks) {
      if (tasks.length === 0) return;
      wake();
      if (timer !== undefined) return;
      const left = lastSent + gapMs - performance.now();
      if (left <= 0) await notify();
      else
        timer = setTimeout(() => {
          notify().catch(() => {});
        }, left);
    },
    async receive(_max, waitMs, signal) {
      if (!closed) await listen();
      if (!announced && !closed && !signal.aborted)
        await new Promise<void>((resolve) => {
          const resume = () => {
            clearTimeout(limit);
            signal.removeEventListener('abort', resume);
            waiting.delete(resume);
            resolve();
          };
          const limit = setTimeout(resume, waitMs);
          signal.addEventListener('abort', resume, { once: true });
          waiting.add(resume);
        });
      announced = false;
      return NOTHING;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      for (const resume of [...waiting]) resume();
      if (timer !== undefined) await notify().catch(() => {});
      await sending.catch(() => {});
      const listener = await listening?.catch(() => undefined);
      listening = undefined;
      await listener?.[Symbol.asyncDispose]();
    },
  };
}
