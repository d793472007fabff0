import { hiddenKinds } from '../../../operations/events/event.ts';
import { followLog } from '../../../operations/events/follow-log.ts';
import { EventPage, Kinds, ListEventsInput, listEvents } from '../../../operations/events/list-events.ts';
import { AfterQuery, lastEventId } from '../live/last-event-id.ts';
import { route, socketRoute } from '../route.ts';

const tag = 'events';
const FollowQuery = AfterQuery.extend({ kinds: Kinds.optional() });

export const eventRoutes = [
  route({
    method: 'GET',
    path: '/events',
    id: 'listEvents',
    summary: 'List what happened, over all crawls and beside them',
    description: 'The audit trail (`admin.action`) is among them for admins only.',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListEventsInput,
    response: EventPage,
    handler: ({ app, query, caller }) => listEvents(app, query, caller),
  }),
  route({
    method: 'GET',
    path: '/events/stream',
    id: 'streamEvents',
    summary: 'Follow everything as server-sent events',
    description:
      'Each event under its kind, as it is written. The id of an event is its position in the log: with Last-Event-ID, every ' +
      'event after that one is sent first; without, only what comes from now on.',
    tag,
    access: 'read',
    bound: 'refused',
    query: FollowQuery,
    stream: 'text/event-stream',
    handler: async ({ app, query, caller, request, reply, live }) => {
      const after = lastEventId(request, query.after);
      return live.stream(request, reply, await followLog(app, { ...query, after, hidden: hiddenKinds(caller) }));
    },
  }),
  socketRoute({
    path: '/ws/events',
    id: 'socketEvents',
    summary: 'Follow everything over a WebSocket',
    description: 'The same as the stream; each message is `{"event", "id", "data"}`.',
    tag,
    access: 'read',
    bound: 'refused',
    query: FollowQuery,
    socket: ({ app, query, caller }) => followLog(app, { ...query, hidden: hiddenKinds(caller) }),
  }),
];
