import { z } from 'zod';
import type { App } from '../../app.ts';
import { KINDS } from '../../db/events/kinds.ts';
import { EVENT_SORTS, listEventRows } from '../../db/events/read-events.ts';
import { sequenceEvents } from '../../db/events/sequence-events.ts';
import type { Caller } from '../access/caller.ts';
import { type ListPage, ListQuery, listPageOf, readList, sortBy } from '../paging.ts';
import { Id, Moment } from '../schemas.ts';
import { Event, hiddenKinds, Kind, toEvent } from './event.ts';

/** `crawl.*` as the kinds it stands for; every other name as it is. */
const expand = (name: string): string[] =>
  name.endsWith('.*') ? KINDS.filter((kind) => kind.startsWith(name.slice(0, -1))) : [name];

/** Several in one parameter, separated by commas. */
export const Kinds = z
  .string()
  .max(1_000)
  .transform((text) => [...new Set(text.split(',').flatMap(expand))])
  .pipe(z.array(Kind).min(1))
  .describe('Only these kinds, separated by commas: crawl.completed,crawl.failed. crawl.* stands for all of a group.');

export const ListEventsInput = ListQuery.extend({
  ...sortBy(EVENT_SORTS),
  kinds: Kinds.optional(),
  crawl_id: Id.optional(),
  since: Moment.optional().describe('Written at this time or later.'),
  until: Moment.optional().describe('Written before this time.'),
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Behind this position of the log: what happened since an event you have.'),
});

export const EventPage = listPageOf(Event);

export async function listEvents(
  app: App,
  input: z.output<typeof ListEventsInput>,
  caller: Caller,
): Promise<ListPage<Event>> {
  await sequenceEvents(app.database);
  const listing = listEventRows({
    kinds: input.kinds,
    crawlId: input.crawl_id,
    since: input.since,
    until: input.until,
    after: input.after,
    hidden: hiddenKinds(caller),
  });
  return readList(app.database, listing, EVENT_SORTS, input, toEvent);
}
