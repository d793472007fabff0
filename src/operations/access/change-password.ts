import { z } from 'zod';
import type { App } from '../../app.ts';
import { deleteSessionsOfUser } from '../../db/access/logins.ts';
import { findUser, updatePassword } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import { hashPassword, NewPassword, verifyPassword } from './passwords.ts';
import { type SessionHalves, type SessionOrigin, startSession } from './start-session.ts';

export const ChangePasswordInput = z.strictObject({
  current_password: z.string().min(1).max(1_000),
  new_password: NewPassword,
});

/** Ends every session of the user; the caller gets a new one. */
export async function changePassword(
  app: App,
  userId: string,
  input: z.output<typeof ChangePasswordInput>,
  origin: SessionOrigin,
): Promise<SessionHalves> {
  const user = await findUser(app.database, userId);
  if (user?.password_hash === null)
    throw new AppError('STATE_CONFLICT', 'you have no password to change', {
      hint: 'Ask an admin for a link to choose one: POST /api/v1/users/{id}/reset-password.',
    });
  if (user === undefined || !(await verifyPassword(input.current_password, user.password_hash)))
    throw new AppError('FORBIDDEN', 'the current password is wrong', { hint: 'Type the password you log in with.' });
  const passwordHash = await hashPassword(input.new_password);
  await app.database.transaction(async (tx) => {
    await updatePassword(tx, userId, passwordHash);
    await deleteSessionsOfUser(tx, userId);
  });
  return startSession(app, userId, origin);
}
