import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { ApiKey } from '../../../operations/access/api-key.ts';
import { ChangePasswordInput, changePassword } from '../../../operations/access/change-password.ts';
import { CreateApiKeyInput, CreatedApiKey, createApiKey } from '../../../operations/access/create-api-key.ts';
import { createLoginLink } from '../../../operations/access/create-login-link.ts';
import { ListApiKeysInput, listApiKeys } from '../../../operations/access/list-api-keys.ts';
import { LogInInput, logIn } from '../../../operations/access/log-in.ts';
import { logOut } from '../../../operations/access/log-out.ts';
import { revokeApiKey } from '../../../operations/access/revoke-api-key.ts';
import { LoginLinkInput, useLoginLink } from '../../../operations/access/use-login-link.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { Id, IdParams } from '../../../operations/schemas.ts';
import { clearSessionCookie, readSession, sendSession } from '../cookies.ts';
import { route } from '../route.ts';
import { originOf } from '../session-origin.ts';

const User = z.object({ id: Id, email: z.string(), role: z.enum(['user', 'admin']) }).meta({ id: 'User' });

const Me = z
  .object({
    kind: z.enum(['anonymous', 'session', 'key']),
    scopes: z.array(z.enum(['read', 'write', 'admin'])),
    rate_limit_rpm: z.number().int(),
    user: User.extend({ must_change_password: z.boolean() }).nullable(),
    key: z.object({ id: Id, name: z.string() }).nullable(),
  })
  .meta({ id: 'Me' });

const SessionKey = z.object({
  session_key: z.string().describe('Send it in X-Session-Key with every request: the cookie alone is no session.'),
});

export const accessRoutes = [
  route({
    method: 'POST',
    path: '/auth/login',
    id: 'logIn',
    summary: 'Log in with email and password',
    description: 'Sets the session cookie, and answers the key that goes with it. Wrong tries slow the next ones down.',
    tag: 'access',
    access: 'public',
    example: { body: { email: '{email}', password: '{password}' } },
    body: LogInInput,
    response: SessionKey.extend({ user: User }),
    handler: async ({ app, body, request, reply }) => {
      const { session, user } = await logIn(app, body, originOf(request));
      return { user, ...sendSession(request, reply, session) };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    id: 'logOut',
    summary: 'End this session',
    tag: 'access',
    access: 'public',
    handler: async ({ app, request, reply }) => {
      const session = readSession(request.headers);
      if (session !== undefined) await logOut(app, session);
      clearSessionCookie(request, reply);
    },
  }),
  route({
    method: 'GET',
    path: '/auth/me',
    id: 'getMe',
    summary: 'Who am I, and what may I do',
    tag: 'access',
    access: 'public',
    response: Me,
    handler: async ({ caller }) => ({
      kind: caller.kind,
      scopes: [...caller.scopes],
      rate_limit_rpm: caller.rpm,
      user:
        caller.user === undefined
          ? null
          : {
              id: caller.user.id,
              email: caller.user.email,
              role: caller.user.role,
              must_change_password: caller.user.mustChangePassword,
            },
      key: caller.key ?? null,
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/password',
    id: 'changePassword',
    summary: 'Change my password',
    description: 'Ends all other sessions of this person.',
    tag: 'access',
    access: 'read',
    example: { body: { current_password: '{password}', new_password: 'correct horse battery staple' } },
    body: ChangePasswordInput,
    response: SessionKey,
    handler: async ({ app, body, caller, request, reply }) => {
      if (caller.user === undefined)
        throw new AppError('FORBIDDEN', 'an API key has no password', { hint: 'Log in first.' });
      return sendSession(request, reply, await changePassword(app, caller.user.id, body, originOf(request)));
    },
  }),
  route({
    method: 'POST',
    path: '/auth/login-link',
    id: 'createLoginLink',
    summary: 'Make a link that logs the first admin in',
    description: 'It works once, within the hour; a new one replaces it.',
    tag: 'access',
    access: 'admin',
    response: z.object({ path: z.string() }),
    handler: async ({ app }) => ({ path: await createLoginLink(app) }),
  }),
  route({
    method: 'POST',
    path: '/auth/login-link/redeem',
    id: 'redeemLoginLink',
    summary: 'Log in with the token of a link',
    description: 'Works as a login does, once for each link.',
    tag: 'access',
    access: 'public',
    example: { body: { token: '{login_token}' } },
    body: LoginLinkInput,
    response: SessionKey,
    handler: async ({ app, body, request, reply }) =>
      sendSession(request, reply, await useLoginLink(app, body.token, originOf(request))),
  }),
  route({
    method: 'GET',
    path: '/api-keys',
    id: 'listApiKeys',
    summary: 'List API keys',
    tag: 'access',
    access: 'admin',
    query: ListApiKeysInput,
    response: listPageOf(ApiKey),
    handler: ({ app, query }) => listApiKeys(app, query),
  }),
  route({
    method: 'POST',
    path: '/api-keys',
    id: 'createApiKey',
    summary: 'Make an API key',
    description: 'The key is in this answer and nowhere else: only its hash is kept.',
    tag: 'access',
    access: 'admin',
    example: { body: { name: 'Reporting', scopes: ['read'] } },
    creates: 'secret',
    body: CreateApiKeyInput,
    status: 201,
    response: CreatedApiKey,
    handler: ({ app, body, caller }) => createApiKey(app, body, caller.user?.id),
  }),
  route({
    method: 'DELETE',
    path: '/api-keys/:id',
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'It stops working at once.',
    tag: 'access',
    access: 'admin',
    params: IdParams,
    handler: ({ app, params }) => revokeApiKey(app, params.id),
  }),
];
