import type { App } from '../../app.ts';
import { findLiveApiKey } from '../../db/access/api-keys.ts';
import { findSession } from '../../db/access/logins.ts';
import { AppError } from '../../errors.ts';
import { type Caller, LIMITS, limitScopes, scopesOfRole } from './caller.ts';
import { hashToken } from './tokens.ts';

export interface Credentials {
  bearer?: string;
  /** Both halves, joined. */
  session?: string;
  ip: string;
}

/** The caller. An invalid key is refused, never treated as anonymous; an ended session is anonymous. */
export async function identifyCaller(app: App, credentials: Credentials): Promise<Caller> {
  const { bearer } = credentials;
  if (bearer !== undefined) {
    const key = bearer.startsWith('c4r_') ? await findLiveApiKey(app.database, hashToken(bearer)) : undefined;
    if (key === undefined)
      throw new AppError('AUTH_REQUIRED', 'the API key is not known, has expired or was revoked', {
        hint: 'Make a new one with: crawl4r keys create.',
      });
    return {
      kind: 'key',
      name: `key:${key.id}`,
      scopes: limitScopes(key.scopes, key.owner_role),
      rpm: key.rate_limit_rpm,
      key: { id: key.id, name: key.name, userId: key.user_id, expiresAt: key.expires_at },
      // Bound as long as the key names any: one whose collections are all gone sees nothing.
      collections: key.collections.length === 0 ? undefined : key.live_collections,
      credential: bearer,
      expiresAt: key.expires_at,
    };
  }
  const halves = credentials.session;
  const session = halves === undefined ? undefined : await findSession(app.database, hashToken(halves));
  if (session === undefined || halves === undefined) return anonymous(credentials.ip);
  return {
    kind: 'session',
    name: `user:${session.user_id}`,
    scopes: scopesOfRole(session.role),
    rpm: LIMITS[session.role],
    user: {
      id: session.user_id,
      email: session.email,
      role: session.role,
      mustChangePassword: session.must_change_password,
    },
    session: { id: session.id, lastSeenAt: session.last_seen_at },
    credential: halves,
    expiresAt: session.expires_at,
  };
}

export const anonymous = (ip: string): Caller => ({
  kind: 'anonymous',
  name: `ip:${ip}`,
  scopes: [],
  rpm: LIMITS.anonymous,
});
