import { randomUUID } from 'node:crypto';
import type { Database } from '../../ports/database.ts';
import type { Delivery, Dispatch, Work } from '../../ports/dispatch.ts';
import type { PubSub } from '../../ports/pubsub.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { askVersion } from '../ask-engine.ts';

interface PostgresDispatchOptions {
  database: Database;
  pubsub: PubSub;
  /** Shortest time between two notices of this process. */
  gapMs?: number;
}

const CHANNEL = 'work';
const WAKE: Delivery = { settle: async () => {} };

/**
 * Claims in Postgres deliver; a notice only wakes workers, which then claim by the frontier's own rule. So many
 * announcements become one notice, and a notice that is lost costs one poll interval.
 */
export function createPostgresDispatch({ database, pubsub, gapMs = 20 }: PostgresDispatchOptions): Dispatch {
  // Own notices come back too; the process that sent one has been woken already.
  const self = randomUUID();
  const bells: Record<Work, Announced> = { fetch: new Announced(), parse: new Announced() };
  const unsent = new Set<Work>();
  let closed = false;
  let listening: Promise<AsyncDisposable> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let lastSent = Number.NEGATIVE_INFINITY;

  function notify(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    lastSent = performance.now();
    const messages = [...unsent].map((work) => `${work} ${self}`);
    unsent.clear();
    sending = pubsub.publish(CHANNEL, messages);
    return sending;
  }

  async function listen(): Promise<void> {
    listening ??= pubsub.subscribe(CHANNEL, (message) => {
      const [work, sender] = message.split(' ');
      if (sender !== self && (work === 'fetch' || work === 'parse')) bells[work].ring();
    });
    try {
      await listening;
    } catch {
      // Without a subscription the caller polls; the next call tries again.
      listening = undefined;
    }
  }

  const dispatch: Bare<Dispatch> = {
    brokered: false,
    async announce(work, due) {
      if (due.length === 0) return;
      bells[work].ring();
      unsent.add(work);
      if (timer !== undefined) return;
      const left = lastSent + gapMs - performance.now();
      if (left <= 0) await notify();
      else timer = setTimeout(() => void notify(), left);
    },
    async receive(work, _max, waitMs, signal) {
      if (closed) return undefined;
      await listen();
      return (await bells[work].wait(waitMs, signal)) ? WAKE : undefined;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      for (const bell of Object.values(bells)) bell.close();
      if (timer !== undefined) await notify();
      await sending;
      const subscription = await listening?.catch(() => undefined);
      listening = undefined;
      await subscription?.[Symbol.asyncDispose]();
    },
  };
  return asEngine('postgres', dispatch, async () => ({
    ...(await askVersion(database)),
    detail: `claims deliver, ${pubsub.engine} wakes`,
  }));
}

/** Wakes all waiters; without any, the next wait returns at once. */
class Announced {
  readonly #waiting = new Set<(announced: boolean) => void>();
  #kept = false;

  ring(): void {
    this.#kept = this.#waiting.size === 0;
    for (const resume of [...this.#waiting]) resume(true);
  }

  close(): void {
    for (const resume of [...this.#waiting]) resume(false);
  }

  /** True when something was announced. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    const kept = this.#kept;
    this.#kept = false;
    if (kept || signal.aborted) return kept;
    return new Promise((resolve) => {
      const resume = (announced: boolean) => {
        clearTimeout(limit);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(resume);
        resolve(announced);
      };
      const onAbort = () => resume(false);
      const limit = setTimeout(() => resume(false), ms);
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(resume);
    });
  }
}
