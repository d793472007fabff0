import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { ChangePasswordInput, changePassword } from '../../../operations/access/change-password.ts';
import { createLoginLink } from '../../../operations/access/create-login-link.ts';
import { LogInInput, logIn } from '../../../operations/access/log-in.ts';
import { logOut } from '../../../operations/access/log-out.ts';
import { QuotaReport, reportQuotas } from '../../../operations/access/quotas.ts';
import { LoginLinkInput, useLoginLink } from '../../../operations/access/use-login-link.ts';
import { RedeemLinkInput, redeemLink } from '../../../operations/people/redeem-link.ts';
import { RoleName } from '../../../operations/people/user.ts';
import { Id } from '../../../operations/schemas.ts';
import { providerName } from '../../../operations/sign-in/provider.ts';
import { clearSessionCookie, readSession, sendSession, sendSignedIn } from '../cookies.ts';
import { route } from '../route.ts';
import { originOf } from '../session-origin.ts';

const SignedInUser = z.object({ id: Id, email: z.string(), role: RoleName }).meta({ id: 'SignedInUser' });

const Me = z
  .object({
    kind: z.enum(['anonymous', 'session', 'key']),
    scopes: z.array(z.enum(['read', 'write', 'admin'])),
    rate_limit_rpm: z.number().int(),
    user: SignedInUser.extend({ must_change_password: z.boolean() }).nullable(),
    key: z.object({ id: Id, name: z.string() }).nullable(),
    collections: z.array(Id).nullable().describe('The collections this key is bound to; null: it is not bound.'),
    quotas: z.array(QuotaReport).describe('What holds for this key and for the person behind it, and what is used.'),
    sign_in_with: z.string().nullable().describe('Name of the OpenID provider one may sign in with; null: none.'),
  })
  .meta({ id: 'Me' });

const SessionKey = z.object({
  session_key: z.string().describe('Send it in X-Session-Key with every request: the cookie alone is no session.'),
});

export const LoggedIn = SessionKey.extend({ user: SignedInUser });

export const accessRoutes = [
  route({
    method: 'POST',
    path: '/auth/login',
    id: 'logIn',
    summary: 'Log in with email and password',
    description: 'Sets the session cookie, and answers the key that goes with it. Wrong tries slow the next ones down.',
    tag: 'access',
    access: 'public',
    bound: 'open',
    example: { body: { email: '{email}', password: '{password}' } },
    body: LogInInput,
    response: LoggedIn,
    handler: async ({ app, body, request, reply }) =>
      sendSignedIn(request, reply, await logIn(app, body, originOf(request))),
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    id: 'logOut',
    summary: 'End this session',
    description:
      'Without X-Session-Key the request proves no session, so none ends: only the cookie is cleared. DELETE /auth/sessions ends the others.',
    tag: 'access',
    access: 'public',
    bound: 'open',
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
    summary: 'Who am I, what may I do, and how can I log in',
    tag: 'access',
    access: 'public',
    bound: 'open',
    response: Me,
    handler: async ({ app, caller }) => ({
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
      collections: caller.collections === undefined ? null : [...caller.collections],
      quotas: await reportQuotas(app, { createdBy: caller.name }),
      sign_in_with: providerName(app.settings) ?? null,
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
    bound: 'refused',
    example: { body: { current_password: '{password}', new_password: 'correct horse battery staple' } },
    audited: true,
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
    bound: 'refused',
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
    bound: 'open',
    example: { body: { token: '{login_token}' } },
    body: LoginLinkInput,
    response: SessionKey,
    handler: async ({ app, body, request, reply }) =>
      sendSession(request, reply, await useLoginLink(app, body.token, originOf(request))),
  }),
  route({
    method: 'POST',
    path: '/auth/invite/redeem',
    id: 'redeemInvite',
    summary: 'Choose a password with the token of an invite or reset link, and log in',
    description: 'Works once for each link. Wrong tries slow the next ones down, as with a login.',
    tag: 'access',
    access: 'public',
    bound: 'open',
    errors: ['LINK_EXPIRED'],
    example: { body: { token: '{invite_token}', password: 'correct horse battery staple' } },
    body: RedeemLinkInput,
    response: LoggedIn,
    handler: async ({ app, body, request, reply }) =>
      sendSignedIn(request, reply, await redeemLink(app, body, originOf(request))),
  }),
];
