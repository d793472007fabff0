import { z } from 'zod';
import { EVENT_KINDS, type EventKind, KINDS } from '../../db/events/kinds.ts';
import type { EventRow } from '../../db/events/read-events.ts';
import { type Caller, mayAccess } from '../access/caller.ts';
import { Id, Time } from '../schemas.ts';

export const Kind = z.enum(KINDS).meta({ id: 'EventKind' });

const Shared = z.object({
  position: z.number().int().describe('Its place in the whole log; later events have larger ones.'),
  crawl_id: Id.nullable(),
  seq: z.number().int().nullable().describe('Its number within the crawl: 1, 2, 3… without gaps.'),
  subject: z.string().nullable().describe('What it is about besides the crawl: an id, or the name of a domain.'),
  actor: z.string().describe('Who did it: key:…, user:…, or system.'),
  created_at: Time,
});
const shapeOf = (kind: EventKind) => Shared.extend({ kind: z.literal(kind), data: EVENT_KINDS[kind] });
const [first, ...others] = KINDS;

export const Event = z.discriminatedUnion('kind', [shapeOf(first), ...others.map(shapeOf)]).meta({ id: 'Event' });
export type Event = z.output<typeof Event>;

/** The audit trail is for admins. */
const ADMIN_KINDS: readonly EventKind[] = ['admin.action'];

export const hiddenKinds = (caller: Caller): readonly EventKind[] => (mayAccess(caller, 'admin') ? [] : ADMIN_KINDS);

export const toEvent = (row: EventRow): Event => row;
