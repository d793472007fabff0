import { z } from 'zod';
import type { App } from '../../app.ts';
import { findUserByEmail } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import { verifyNobody, verifyPassword } from './passwords.ts';
import { countTries, forgetTries, slowDownTries } from './slow-down.ts';
import { type SessionOrigin, type SignedIn, startSession } from './start-session.ts';

export const LogInInput = z.strictObject({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1_000),
});

export async function logIn(app: App, input: z.output<typeof LogInInput>, origin: SessionOrigin): Promise<SignedIn> {
  const tries = countTries(input.email.toLowerCase(), origin.ip ?? '');
  await slowDownTries(app, tries);
  const user = await findUserByEmail(app.database, input.email);
  const hash = user?.password_hash ?? null;
  if (hash === null) await verifyNobody(input.password);
  const right = user?.is_active === true && hash !== null && (await verifyPassword(input.password, hash));
  if (!right) throw new AppError('AUTH_REQUIRED', 'email or password is wrong', { hint: 'Check both and try again.' });
  await forgetTries(app, tries[0]!);
  const session = await startSession(app, user.id, origin, hash);
  return { session, user: { id: user.id, email: user.email, role: user.role } };
}
