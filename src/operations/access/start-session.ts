import type { App } from '../../app.ts';
import { deleteSession, insertSession } from '../../db/access/logins.ts';
import { markLogin } from '../../db/access/users.ts';
import { hashToken, newToken } from './tokens.ts';

export const SESSION_TTL_S = 24 * 60 * 60;

/** Where a session comes from, and the token it replaces: a session never outlives a new login of the same browser. */
export interface SessionOrigin {
  ip?: string;
  userAgent?: string;
  previousToken?: string;
}

export async function startSession(
  app: App,
  userId: string,
  origin: SessionOrigin,
): Promise<{ token: string; csrfToken: string }> {
  const [token, csrfToken] = [newToken(), newToken()];
  await app.database.transaction(async (tx) => {
    if (origin.previousToken !== undefined) await deleteSession(tx, hashToken(origin.previousToken));
    await insertSession(tx, {
      tokenHash: hashToken(token),
      userId,
      csrfToken,
      ttlS: SESSION_TTL_S,
      ip: origin.ip,
      userAgent: origin.userAgent?.slice(0, 300),
    });
    await markLogin(tx, userId);
  });
  return { token, csrfToken };
}
