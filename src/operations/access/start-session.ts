import type { App } from '../../app.ts';
import { deleteSession, insertSession } from '../../db/access/logins.ts';
import { markLogin, type Role } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { hashToken, newToken } from './tokens.ts';

/** The longest life of a session. Within it, one that is not used for a day ends: the database decides, not the cookie. */
export const SESSION_MAX_S = 30 * 24 * 60 * 60;

/**
 * A session is known by two halves. The cookie goes wherever the browser sends cookies: to every port of this host. The
 * key is kept by our page, in the storage of its origin, and sent as a header: pages on another port do not have it. Either
 * half alone gives no access.
 */
export interface SessionHalves {
  cookie: string;
  key: string;
}

/** What every way to log in ends with. */
export interface SignedIn {
  session: SessionHalves;
  user: { id: string; email: string; role: Role };
}

/** How both halves travel inside the program. */
export const joinHalves = ({ cookie, key }: SessionHalves) => `${cookie}.${key}`;

/** Where a session comes from, and the one it replaces: a session never outlives a new login of the same browser. */
export interface SessionOrigin {
  ip?: string;
  userAgent?: string;
  previous?: string;
}

/** `passwordHash`: the one the person was let in by, if it was a password. */
export async function startSession(
  app: App,
  userId: string,
  origin: SessionOrigin,
  passwordHash?: string,
): Promise<SessionHalves> {
  const halves = { cookie: newToken(), key: newToken() };
  await app.database.transaction(async (tx) => {
    if (!(await markLogin(tx, userId, passwordHash)))
      throw new AppError('AUTH_REQUIRED', 'this person may not log in any more', { hint: 'Ask an admin.' });
    if (origin.previous !== undefined) await deleteSession(tx, hashToken(origin.previous));
    await insertSession(tx, {
      id: newId(),
      tokenHash: hashToken(joinHalves(halves)),
      userId,
      ip: origin.ip,
      userAgent: origin.userAgent?.slice(0, 300),
    });
  });
  return halves;
}
