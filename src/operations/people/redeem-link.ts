import { z } from 'zod';
import type { App } from '../../app.ts';
import { deleteSessionsOfUser } from '../../db/access/logins.ts';
import { findUserOfLink, takeUserLink } from '../../db/access/user-links.ts';
import { lockUser, type UserRow, updatePassword } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import { hashPassword, NewPassword } from '../access/passwords.ts';
import { countLinkTries, slowDownTries } from '../access/slow-down.ts';
import { type SessionOrigin, type SignedIn, startSession } from '../access/start-session.ts';
import { hashToken } from '../access/tokens.ts';

export const RedeemLinkInput = z.strictObject({
  token: z.string().min(1).max(100).describe('What stands behind invite= or reset= in the link.'),
  password: NewPassword,
});

/** Sets the password of the person the link is for, ends the sessions there were, and logs in. */
export async function redeemLink(
  app: App,
  input: z.output<typeof RedeemLinkInput>,
  origin: SessionOrigin,
): Promise<SignedIn> {
  await slowDownTries(app, countLinkTries(origin.ip ?? ''));
  const tokenHash = hashToken(input.token);
  // Hashing a password is expensive on purpose: it is done for links that work.
  const userId = await findUserOfLink(app.database, tokenHash);
  if (userId === undefined) throw expired();
  const passwordHash = await hashPassword(input.password);
  const user = await app.database.transaction(async (tx): Promise<UserRow> => {
    const person = await lockUser(tx, userId);
    if (person?.is_active !== true || !(await takeUserLink(tx, tokenHash))) throw expired();
    await updatePassword(tx, person.id, passwordHash);
    await deleteSessionsOfUser(tx, person.id);
    return person;
  });
  const session = await startSession(app, user.id, origin, passwordHash);
  return { session, user: { id: user.id, email: user.email, role: user.role } };
}

const expired = () =>
  new AppError('LINK_EXPIRED', 'this link was used before, was replaced or has expired', {
    hint: 'Ask an admin for a new link.',
  });
