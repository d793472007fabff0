import { z } from 'zod';
import type { App } from '../../app.ts';
import { findUserByEmail } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import { verifyNobody, verifyPassword } from './passwords.ts';
import { type SessionOrigin, startSession } from './start-session.ts';

export const LogInInput = z.strictObject({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1_000),
});

const WINDOW_MS = 15 * 60 * 1_000;

/**
 * Tries per quarter of an hour. The narrow window is per person and address, so a stranger who guesses does not lock
 * the owner out; the wide ones bound guessing from many addresses and of many names.
 */
const WINDOWS = (email: string, ip: string) => [
  { key: `login:pair:${email}:${ip}`, limit: 5 },
  { key: `login:ip:${ip}`, limit: 30 },
  { key: `login:email:${email}`, limit: 100 },
];

export async function logIn(
  app: App,
  input: z.output<typeof LogInInput>,
  origin: SessionOrigin,
): Promise<{ token: string; csrfToken: string; user: { id: string; email: string; role: 'user' | 'admin' } }> {
  const windows = WINDOWS(input.email.toLowerCase(), origin.ip ?? '');
  for (const { key, limit } of windows) {
    const tries = await app.cache.increment(key, 1, WINDOW_MS).catch(() => 0);
    if (tries > limit)
      throw new AppError('RATE_LIMITED', 'too many tries to log in', {
        retryAfterMs: WINDOW_MS,
        hint: 'Wait a quarter of an hour, then try again.',
      });
  }
  const user = await findUserByEmail(app.database, input.email);
  if (user === undefined) await verifyNobody(input.password);
  const right = user?.is_active === true && (await verifyPassword(input.password, user.password_hash));
  if (!right) throw new AppError('AUTH_REQUIRED', 'email or password is wrong', { hint: 'Check both and try again.' });
  await app.cache.delete(windows.slice(0, 1).map((window) => window.key)).catch(() => undefined);
  const session = await startSession(app, user.id, origin);
  return { ...session, user: { id: user.id, email: user.email, role: user.role } };
}
