import type { App } from '../../app.ts';
import { type Flow, sealFlow } from './flow.ts';
import { openProvider } from './provider.ts';

/**
 * Where the browser goes to sign in, and what it must bring back: state, nonce and the PKCE verifier, encrypted. Nothing of a
 * sign-in that was only started is kept here.
 */
export async function startSignIn(app: App, redirectUri: string): Promise<{ location: string; flow: string }> {
  const { openid, config } = await openProvider(app);
  const flow: Flow = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
    redirectUri,
    startedAt: Date.now(),
  };
  const location = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
  return { location: location.href, flow: sealFlow(app, flow) };
}
