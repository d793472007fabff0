import type * as openid from 'openid-client';
import type { App } from '../../app.ts';
import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import { guardedFetch } from './guarded-fetch.ts';

/** The name of the provider people may sign in with; undefined: none is set up. */
export const providerName = ({ oidc }: Settings): string | undefined =>
  oidc.issuer === undefined || oidc.clientId === undefined ? undefined : oidc.name;

export interface Provider {
  /** The library, loaded at the first sign-in. */
  openid: typeof openid;
  config: openid.Configuration;
}

interface Known {
  provider: Promise<Provider>;
  until: number;
}

/** How long what the provider says about itself is kept. */
const KEPT_MS = 60 * 60 * 1_000;
const TIMEOUT_S = 10;
const known = new WeakMap<App, Known>();

/** The provider of the settings, as it describes itself. One that does not answer is PROVIDER_DOWN, and is asked again next time. */
export function openProvider(app: App): Promise<Provider> {
  const kept = known.get(app);
  if (kept !== undefined && kept.until > performance.now()) return kept.provider;
  const provider = discover(app);
  known.set(app, { provider, until: performance.now() + KEPT_MS });
  provider.catch(() => known.delete(app));
  return provider;
}

async function discover(app: App): Promise<Provider> {
  const { issuer, clientId, clientSecret, name } = app.settings.oidc;
  if (issuer === undefined || clientId === undefined)
    throw new AppError('NOT_FOUND', 'no OpenID provider is set up', {
      hint: 'Set OIDC__ISSUER and OIDC__CLIENT_ID, or log in with email and password.',
    });
  const openid = await import('openid-client');
  const server = new URL(issuer);
  try {
    const config = await openid.discovery(
      server,
      clientId,
      undefined,
      clientSecret === undefined ? openid.None() : openid.ClientSecretBasic(clientSecret),
      {
        timeout: TIMEOUT_S,
        [openid.customFetch]: guardedFetch(app.providerClient),
        // The signature of the ID token is checked too, not the connection alone. The settings take http:// on loopback only.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(server.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      },
    );
    return { openid, config };
  } catch (cause) {
    throw providerDown(name, cause);
  }
}

export const providerDown = (name: string, cause: unknown) =>
  new AppError('PROVIDER_DOWN', `${name} cannot be asked now`, { cause });
