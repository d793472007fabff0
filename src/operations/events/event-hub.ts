import type { App } from '../../app.ts';
import { Bell } from '../../bell.ts';
import { type EventRow, readEvents } from '../../db/events/read-events.ts';
import { sequenceEvents } from '../../db/events/sequence-events.ts';
import { READERS_CHANNEL } from '../../db/events/wake-readers.ts';
import { toAppError } from '../../errors.ts';

/** Between two looks at most: a wake-up can get lost. And at least: a fast crawl writes many times a second. */
const POLL_MS = 2_000;
const GATHER_MS = 50;
const PAGE = 1_000;

type Take = (events: readonly EventRow[]) => void;

export interface Seat extends Disposable {
  /** The listeners have received everything up to here. */
  position(): number;
  /** From now on `take` gets the events of the crawl, or all events, in order, as they come. It must not wait. */
  listen(crawlId: string | undefined, take: Take): void;
  leave(): void;
}

/** One reader of the log for all listeners of a process: however many there are, each event is read once. */
export interface EventHub extends AsyncDisposable {
  join(): Promise<Seat>;
}

export function createEventHub({ database, pubsub, log }: Pick<App, 'database' | 'pubsub' | 'log'>): EventHub {
  const listeners = new Map<string | undefined, Set<Take>>();
  const bell = new Bell();
  let [seats, position, closed] = [0, 0, false];
  let current: Promise<unknown> = Promise.resolve();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    await using _wakes = await pubsub
      .subscribe(READERS_CHANNEL, () => bell.ring())
      .catch((error: unknown) => {
        log.warn('event_hub_polls', { error: toAppError(error).message });
        return undefined;
      });
    while (!closed) {
      await bell.wait(POLL_MS);
      if (seats === 0 || closed) continue;
      await pass().catch((error: unknown) => log.warn('events_not_read', { error: toAppError(error).message }));
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
  }

  async function pass(): Promise<void> {
    const head = await sequenceEvents(database);
    while (position < head) {
      const events = await readEvents(database, position, PAGE);
      position = events.length === PAGE ? events.at(-1)!.position : Math.max(head, events.at(-1)?.position ?? 0);
      hand(undefined, events);
      for (const [crawlId, own] of Map.groupBy(events, ({ crawl_id }) => crawl_id))
        if (crawlId !== null) hand(crawlId, own);
    }
  }

  function hand(crawlId: string | undefined, events: readonly EventRow[]): void {
    if (events.length > 0) for (const take of listeners.get(crawlId) ?? []) take(events);
  }

  return {
    async join() {
      running ??= run();
      // No listeners: each new listener reads what happened meanwhile by itself.
      if (seats === 0) current = sequenceEvents(database).then((head) => (position = head));
      seats++;
      let leave = () => {};
      const seat: Seat = {
        position: () => position,
        listen(crawlId, take) {
          const group = listeners.get(crawlId) ?? new Set();
          listeners.set(crawlId, group.add(take));
          leave = () => {
            group.delete(take);
            if (group.size === 0 && listeners.get(crawlId) === group) listeners.delete(crawlId);
          };
        },
        leave: () => leave(),
        [Symbol.dispose]() {
          leave();
          seats--;
        },
      };
      try {
        await current;
        return seat;
      } catch (error) {
        seats--;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      bell.ring();
      await running;
    },
  };
}
