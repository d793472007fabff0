import type { IDToken, UserInfoResponse } from 'openid-client';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';
import { findUnstorable } from '../../text/storable.ts';
import { type SessionOrigin, type SignedIn, startSession } from '../access/start-session.ts';
import { admitPerson } from './admit-person.ts';
import { type Flow, openFlow } from './flow.ts';
import { openProvider, type Provider, providerDown } from './provider.ts';
import { readMail } from './read-mail.ts';
import { readRole } from './read-role.ts';

export const FinishSignInInput = z.strictObject({
  query: z.string().min(1).max(8_192).describe('The query the provider sent the browser back with.'),
});

/** Exchanges the code, finds out who it is, and logs in. `sealed` is what the start gave to this browser. */
export async function finishSignIn(
  app: App,
  query: string,
  sealed: string | undefined,
  origin: SessionOrigin,
): Promise<SignedIn> {
  const flow = openFlow(app, sealed);
  const provider = await openProvider(app);
  const { token, info } = await readClaims(provider, flow, query).catch((thrown: unknown) => {
    const error = explain(app.settings.oidc.name, thrown);
    // Causes of the library may hold what the provider sent: only its words are kept.
    app.log.warn('sign_in_failed', { code: error.code, reasons: reasonsOf(thrown) });
    throw error;
  });
  const user = await admitPerson(app, {
    issuer: token.iss,
    subject: readSubject(token.sub),
    ...readMail(token, info),
    // What is signed wins.
    role: readRole(app.settings.oidc, { ...info, ...token }),
  });
  return { user, session: await startSession(app, user.id, origin) };
}

interface Claims {
  token: IDToken;
  /** What the provider says when asked with the access token; most say more here. */
  info: Partial<UserInfoResponse>;
}

/** The library checks state, issuer, audience, times, nonce and signature; the code is exchanged with the PKCE verifier. */
async function readClaims({ openid, config }: Provider, flow: Flow, query: string): Promise<Claims> {
  const url = new URL(flow.redirectUri);
  url.search = query;
  const tokens = await openid.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: flow.verifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  });
  const token = tokens.claims()!;
  if (config.serverMetadata().userinfo_endpoint === undefined) return { token, info: {} };
  return { token, info: await openid.fetchUserInfo(config, tokens.access_token, token.sub) };
}

function readSubject(subject: string): string {
  if (subject.length <= 255 && findUnstorable(subject) === undefined) return subject;
  throw new AppError('SIGN_IN_REFUSED', 'the provider named somebody in a way that cannot be stored');
}

function reasonsOf(thrown: unknown): string[] {
  const reasons: string[] = [];
  for (let cause = thrown; cause instanceof Error && reasons.length < 5; cause = cause.cause)
    reasons.push(cause.message);
  return reasons;
}

/** Answers of the provider that are none, by the codes of the library. */
const NO_ANSWER = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_TIMEOUT',
]);

/** A provider that does not answer is PROVIDER_DOWN, which trying again may help; everything else is a refusal. */
function explain(name: string, thrown: unknown): AppError {
  for (let cause = thrown; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError || NO_ANSWER.has((cause as NodeJS.ErrnoException).code ?? ''))
      return providerDown(name, thrown);
  return new AppError('SIGN_IN_REFUSED', `${name} did not confirm this sign-in`, { cause: thrown });
}
