import { asEngine, type Bare } from '../../src/drivers/as-engine.ts';
import type { Delivery, Dispatch, Due, Work } from '../../src/ports/dispatch.ts';

export interface MemoryBroker extends AsyncDisposable {
  open(): Promise<Dispatch>;
  /** Loses all that waits, as a purge of the queues does. */
  purge(): void;
}

/** The smallest broker there can be: a queue for each kind of work, shared by the dispatches it opened. */
export function createMemoryBroker(): MemoryBroker {
  const queues: Record<Work, Due[]> = { fetch: [], parse: [] };
  const waiting: { work: Work; wake: () => void }[] = [];
  const wake = (work: Work) => {
    for (const each of waiting.filter((one) => one.work === work)) each.wake();
  };

  function open(): Dispatch {
    const unsettled = new Set<{ work: Work; due: Due[] }>();
    const closed = new AbortController();
    const take = (work: Work, max: number): Delivery | undefined => {
      const due = queues[work].sort((a, b) => a.priority - b.priority).splice(0, max);
      if (due.length === 0) return undefined;
      const held = { work, due };
      unsettled.add(held);
      return { ids: due.map(({ id }) => id), settle: async () => void unsettled.delete(held) };
    };
    const dispatch: Bare<Dispatch> = {
      brokered: true,
      async announce(work, due) {
        queues[work].push(...due);
        wake(work);
      },
      async receive(work, max, waitMs, signal) {
        const either = AbortSignal.any([signal, closed.signal]);
        const deadline = performance.now() + waitMs;
        for (;;) {
          const found = either.aborted ? undefined : take(work, max);
          const leftMs = deadline - performance.now();
          if (found !== undefined || either.aborted || leftMs <= 0) return found;
          await new Promise<void>((resolve) => {
            const mine = {
              work,
              wake: () => {
                clearTimeout(timer);
                either.removeEventListener('abort', mine.wake);
                waiting.splice(waiting.indexOf(mine), 1);
                resolve();
              },
            };
            const timer = setTimeout(mine.wake, leftMs);
            either.addEventListener('abort', mine.wake);
            waiting.push(mine);
          });
        }
      },
      async [Symbol.asyncDispose]() {
        closed.abort();
        for (const { work, due } of unsettled) {
          queues[work].push(...due);
          wake(work);
        }
        unsettled.clear();
      },
    };
    return asEngine('memory', dispatch, async () => ({ detail: `${queues.fetch.length + queues.parse.length} ids` }));
  }

  return {
    open: async () => open(),
    purge() {
      queues.fetch = [];
      queues.parse = [];
    },
    async [Symbol.asyncDispose]() {},
  };
}
