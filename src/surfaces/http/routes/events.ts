import { EventPage, ListEventsInput, listEvents } from '../../../operations/events/list-events.ts';
import { route } from '../route.ts';

const tag = 'events';

export const eventRoutes = [
  route({
    method: 'GET',
    path: '/events',
    id: 'listEvents',
    summary: 'List what happened, over all crawls and beside them',
    description: 'The audit trail (`admin.action`) is among them for admins only.',
    tag,
    access: 'read',
    query: ListEventsInput,
    response: EventPage,
    handler: ({ app, query, caller }) => listEvents(app, query, caller),
  }),
];
