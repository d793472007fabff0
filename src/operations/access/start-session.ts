import type { App } from '../../app.ts';
import { deleteSession, insertSession } from '../../db/access/logins.ts';
import { markLogin } from '../../db/access/users.ts';
import { hashToken, newToken } from './tokens.ts';

export const SESSION_TTL_S = 24 * 60 * 60;

/**
 * A session is known by two halves. The cookie goes wherever the browser sends cookies: to every port of this host. The
 * key is kept by our page, in the storage of its origin, and sent as a header: pages on another port do not have it. Either
 * half alone gives no access.
 */
export interface SessionHalves {
  cookie: string;
  key: string;
}

/** How both halves travel inside the program. */
export const joinHalves = ({ cookie, key }: SessionHalves) => `${cookie}.${key}`;

/** Where a session comes from, and the one it replaces: a session never outlives a new login of the same browser. */
export interface SessionOrigin {
  ip?: string;
  userAgent?: string;
  previous?: string;
}

export async function startSession(app: App, userId: string, origin: SessionOrigin): Promise<SessionHalves> {
  const halves = { cookie: newToken(), key: newToken() };
  await app.database.transaction(async (tx) => {
    if (origin.previous !== undefined) await deleteSession(tx, hashToken(origin.previous));
    await insertSession(tx, {
      tokenHash: hashToken(joinHalves(halves)),
      userId,
      ttlS: SESSION_TTL_S,
      ip: origin.ip,
      userAgent: origin.userAgent?.slice(0, 300),
    });
    await markLogin(tx, userId);
  });
  return halves;
}
