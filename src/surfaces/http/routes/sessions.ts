import { AppError } from '../../../errors.ts';
import type { Caller } from '../../../operations/access/caller.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { endSession, endSessions } from '../../../operations/people/end-sessions.ts';
import { ListSessionsInput, listSessions } from '../../../operations/people/list-sessions.ts';
import { Session } from '../../../operations/people/session.ts';
import { Deleted, IdParams } from '../../../operations/schemas.ts';
import { route } from '../route.ts';

/** Keys have no sessions, those of a person neither. */
function mine(caller: Caller): { userId: string; sessionId: string } {
  if (caller.user === undefined || caller.session === undefined)
    throw new AppError('FORBIDDEN', 'an API key has no sessions', {
      hint: 'Log in, or use DELETE /api/v1/users/{id}/sessions as an admin.',
    });
  return { userId: caller.user.id, sessionId: caller.session.id };
}

export const sessionRoutes = [
  route({
    method: 'GET',
    path: '/auth/sessions',
    id: 'listMySessions',
    summary: 'List my sessions',
    description: 'An API key has none.',
    tag: 'access',
    access: 'read',
    bound: 'refused',
    query: ListSessionsInput,
    response: listPageOf(Session),
    handler: ({ app, caller, query }) => listSessions(app, caller.user?.id, query, caller.session?.id),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    id: 'endMySession',
    summary: 'End one of my sessions',
    description: 'Its streams end at their next heartbeat.',
    tag: 'access',
    access: 'read',
    bound: 'refused',
    audited: true,
    params: IdParams,
    handler: async ({ app, caller, params }) => endSession(app, mine(caller).userId, params.id),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions',
    id: 'endMyOtherSessions',
    summary: 'End all my sessions but this one',
    tag: 'access',
    access: 'read',
    bound: 'refused',
    audited: true,
    response: Deleted,
    handler: async ({ app, caller }) => {
      const { userId, sessionId } = mine(caller);
      return endSessions(app, userId, sessionId);
    },
  }),
];
