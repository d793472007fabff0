import { FinishSignInInput, finishSignIn } from '../../../operations/sign-in/finish-sign-in.ts';
import { FLOW_S } from '../../../operations/sign-in/flow.ts';
import { startSignIn } from '../../../operations/sign-in/start-sign-in.ts';
import { readCookie, sendCookie, sendSignedIn } from '../cookies.ts';
import { route } from '../route.ts';
import { originOf } from '../session-origin.ts';
import { LoggedIn } from './access.ts';

const PREFIX = '/api/v1/auth/oidc';
/** Encrypted, and read by the last step alone; that one is sent by our own page. */
const FLOW = { name: 'c4r_sign_in', path: PREFIX };

export const signInRoutes = [
  route({
    method: 'GET',
    path: '/auth/oidc/start',
    id: 'startSignIn',
    summary: 'Go to the OpenID provider to sign in',
    description: 'For browsers. Register {this server}/api/v1/auth/oidc/callback as redirect URI at the provider.',
    tag: 'access',
    access: 'public',
    bound: 'open',
    errors: ['NOT_FOUND', 'PROVIDER_DOWN'],
    status: 302,
    stream: 'text/plain',
    handler: async ({ app, request, reply }) => {
      const { location, flow } = await startSignIn(app, `${request.protocol}://${request.host}${PREFIX}/callback`);
      sendCookie(request, reply, FLOW, flow, FLOW_S);
      return reply.redirect(location, 302);
    },
  }),
  route({
    method: 'GET',
    path: '/auth/oidc/callback',
    id: 'returnFromSignIn',
    summary: 'Where the OpenID provider sends the browser back to',
    description:
      'Hands what the provider sent over to the log-in page, behind a #. Nothing is decided here: the page sends it in a POST, which only a page of this server can.',
    tag: 'access',
    access: 'public',
    bound: 'open',
    limit: 'none',
    status: 302,
    stream: 'text/plain',
    handler: async ({ request, reply }) => {
      const at = request.url.indexOf('?');
      return reply.redirect(`/login#oidc=${encodeURIComponent(at < 0 ? '' : request.url.slice(at + 1))}`, 302);
    },
  }),
  route({
    method: 'POST',
    path: '/auth/oidc/redeem',
    id: 'finishSignIn',
    summary: 'Log in with what the OpenID provider sent back',
    description: 'Works once, within 10 minutes, in the browser that started it.',
    tag: 'access',
    access: 'public',
    bound: 'open',
    errors: ['NOT_FOUND', 'PROVIDER_DOWN', 'SIGN_IN_REFUSED'],
    example: { body: { query: 'code=…&state=…' } },
    body: FinishSignInInput,
    response: LoggedIn,
    handler: async ({ app, body, request, reply }) => {
      const flow = readCookie(request.headers, FLOW.name);
      // Whatever comes of it, it is not tried twice.
      sendCookie(request, reply, FLOW, '', 0);
      return sendSignedIn(request, reply, await finishSignIn(app, body.query, flow, originOf(request)));
    },
  }),
];
