import { z } from 'zod';
import { listPageOf } from '../../../operations/paging.ts';
import { CreatedUser, CreateUserInput, createUser } from '../../../operations/people/create-user.ts';
import { deleteUser } from '../../../operations/people/delete-user.ts';
import { endSession, endSessions } from '../../../operations/people/end-sessions.ts';
import { getUser } from '../../../operations/people/get-user.ts';
import { inviteUser } from '../../../operations/people/invite-user.ts';
import { ListSessionsInput, listSessions } from '../../../operations/people/list-sessions.ts';
import { ListUsersInput, listUsers } from '../../../operations/people/list-users.ts';
import { resetPassword } from '../../../operations/people/reset-password.ts';
import { Session } from '../../../operations/people/session.ts';
import { UpdateUserInput, updateUser } from '../../../operations/people/update-user.ts';
import { PasswordLink, User } from '../../../operations/people/user.ts';
import { Deleted, Id, IdParams } from '../../../operations/schemas.ts';
import { route } from '../route.ts';

export const peopleRoutes = [
  route({
    method: 'GET',
    path: '/users',
    id: 'listUsers',
    summary: 'List people',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    query: ListUsersInput,
    response: listPageOf(User),
    handler: ({ app, query }) => listUsers(app, query),
  }),
  route({
    method: 'POST',
    path: '/users',
    id: 'createUser',
    summary: 'Invite a person',
    description: 'The person has no password yet; invite.path leads to where one is chosen. It works once, for 7 days.',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    example: { body: { email: 'ada{number}@example.com', role: 'operator' } },
    creates: 'secret',
    body: CreateUserInput,
    status: 201,
    response: CreatedUser,
    handler: ({ app, body }) => createUser(app, body),
  }),
  route({
    method: 'GET',
    path: '/users/:id',
    id: 'getUser',
    summary: 'Get a person',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    params: IdParams,
    response: User,
    handler: ({ app, params }) => getUser(app, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/users/:id',
    id: 'updateUser',
    summary: 'Change address or role of a person, or whether the person gets in',
    description: 'The last active admin can be neither demoted nor deactivated (LAST_ADMIN).',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    errors: ['LAST_ADMIN', 'CONFLICT'],
    example: { body: { role: 'viewer' } },
    params: IdParams,
    body: UpdateUserInput,
    response: User,
    handler: ({ app, params, body }) => updateUser(app, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/users/:id',
    id: 'deleteUser',
    summary: 'Remove a person',
    description: 'Sessions, links and API keys of the person go too. The last active admin stays (LAST_ADMIN).',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    errors: ['LAST_ADMIN'],
    params: IdParams,
    handler: ({ app, params }) => deleteUser(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/users/:id/invite',
    id: 'inviteUser',
    summary: 'Make a new invite link',
    description: 'For a person who has no password yet. It works once, for 7 days; the one before stops working.',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    errors: ['STATE_CONFLICT'],
    creates: 'secret',
    params: IdParams,
    status: 201,
    response: PasswordLink,
    handler: ({ app, params }) => inviteUser(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/users/:id/reset-password',
    id: 'resetPassword',
    summary: 'Take the password of a person away, and make a link to choose another',
    description: 'Ends all sessions of the person. The link works once, for an hour.',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    errors: ['STATE_CONFLICT'],
    creates: 'secret',
    params: IdParams,
    status: 201,
    response: PasswordLink,
    handler: ({ app, params }) => resetPassword(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/users/:id/sessions',
    id: 'listUserSessions',
    summary: 'List the sessions of a person',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    params: IdParams,
    query: ListSessionsInput,
    response: listPageOf(Session),
    handler: async ({ app, caller, params, query }) => {
      const sessions = await listSessions(app, params.id, query, caller.session?.id);
      await getUser(app, params.id);
      return sessions;
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/:id/sessions',
    id: 'endUserSessions',
    summary: 'End all sessions of a person',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    params: IdParams,
    response: Deleted,
    handler: async ({ app, params }) => {
      await getUser(app, params.id);
      return endSessions(app, params.id);
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/:id/sessions/:session',
    id: 'endUserSession',
    summary: 'End one session of a person',
    tag: 'people',
    access: 'admin',
    bound: 'refused',
    example: { params: { session: '{session}' } },
    params: z.strictObject({ id: Id, session: Id }),
    handler: ({ app, params }) => endSession(app, params.id, params.session),
  }),
];
