import type { EventRow } from '../../db/events/read-events.ts';

export interface Message {
  name: string;
  /** Where a client goes on that comes back. */
  id?: string;
  /** JSON. */
  text: string;
}

/**
 * What one listener follows: first the events since its last position, in batches, then new ones. A feed keeps its
 * position, so an event that reaches it both ways is sent once.
 */
export interface Feed {
  /** Undefined: events of all crawls, and those beside them. */
  readonly crawlId: string | undefined;
  /** What the listener has to be allowed for as long as it listens. */
  readonly access: 'read' | 'admin';
  /** What a bound listener has to be bound to for as long as it listens; null: none may listen. */
  readonly collectionId: string | null;
  /** Sent before everything else. */
  readonly opening: readonly Message[];
  /** The next events after its place, FEED_PAGE at most. */
  read(): Promise<EventRow[]>;
  /** Turns events into messages and moves its place; those it has sent already are left out. */
  take(events: readonly EventRow[]): Message[];
  /** Nothing more is to come. */
  done(): boolean;
}

export const FEED_PAGE = 200;

const texts = new WeakMap<EventRow, string>();

/** Many listeners get the same event: it is written as JSON once. */
export function textOf(event: EventRow): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}
