import type { App } from '../../app.ts';
import { type EventKind, KINDS } from '../../db/events/kinds.ts';
import { readEvents } from '../../db/events/read-events.ts';
import { sequenceEvents } from '../../db/events/sequence-events.ts';
import { FEED_PAGE, type Feed, textOf } from './feed.ts';

interface LogFilter {
  kinds?: readonly EventKind[] | undefined;
  hidden: readonly EventKind[];
  /** The position of the last event the listener has; absent: only what comes from now on. */
  after?: number | undefined;
}

/** The whole log as it grows. It never ends by itself. */
export async function followLog({ database }: Pick<App, 'database'>, filter: LogFilter): Promise<Feed> {
  const kinds = new Set((filter.kinds ?? KINDS).filter((kind) => !filter.hidden.includes(kind)));
  let position = filter.after ?? (await sequenceEvents(database));
  return {
    crawlId: undefined,
    access: filter.hidden.length === 0 ? 'admin' : 'read',
    collectionId: null,
    opening: [],
    read: () => readEvents(database, position, FEED_PAGE, [...kinds]),
    take(events) {
      const fresh = events.filter((event) => event.position > position);
      position = fresh.at(-1)?.position ?? position;
      return fresh
        .filter(({ kind }) => kinds.has(kind))
        .map((event) => ({ name: event.kind, id: String(event.position), text: textOf(event) }));
    },
    done: () => false,
  };
}
