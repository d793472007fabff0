import { z } from 'zod';
import type { App } from '../../app.ts';
import { findUserByEmail } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import { verifyNobody, verifyPassword } from './passwords.ts';
import { type SessionHalves, type SessionOrigin, startSession } from './start-session.ts';

export const LogInInput = z.strictObject({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1_000),
});

const MEMORY_MS = 15 * 60 * 1_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Tries that cost no wait. Both counts are bound to the address that guesses, so no one can lock a user out from
 * elsewhere, and a wait is never longer than half a minute.
 */
const COUNTS = (email: string, ip: string) => [
  { key: `login:pair:${email}:${ip}`, free: 5 },
  { key: `login:ip:${ip}`, free: 30 },
];

/** Beyond the free tries, one is let through per wait; each doubles the next wait. */
async function slowDown({ counters }: App, { key, free }: { key: string; free: number }): Promise<void> {
  const tries = await counters.increment(key, 1, MEMORY_MS);
  if (tries < free) return;
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (tries - free), LONGEST_WAIT_MS);
  if ((await counters.increment(`${key}:turn`, 1, waitMs)) > 1)
    throw new AppError('RATE_LIMITED', 'too many tries to log in', {
      retryAfterMs: waitMs,
      hint: 'Wait for Retry-After seconds, then try again; crawl4r keys login-link works at once.',
    });
}

export async function logIn(
  app: App,
  input: z.output<typeof LogInInput>,
  origin: SessionOrigin,
): Promise<{ session: SessionHalves; user: { id: string; email: string; role: 'user' | 'admin' } }> {
  const counts = COUNTS(input.email.toLowerCase(), origin.ip ?? '');
  for (const count of counts)
    await slowDown(app, count).catch((error: unknown) => {
      // Counters that do not answer let tries through.
      if (error instanceof AppError && error.code === 'RATE_LIMITED') throw error;
    });
  const user = await findUserByEmail(app.database, input.email);
  if (user === undefined) await verifyNobody(input.password);
  const right = user?.is_active === true && (await verifyPassword(input.password, user.password_hash));
  if (!right) throw new AppError('AUTH_REQUIRED', 'email or password is wrong', { hint: 'Check both and try again.' });
  const { key } = counts[0]!;
  await app.counters.delete([key, `${key}:turn`]).catch(() => undefined);
  const session = await startSession(app, user.id, origin);
  return { session, user: { id: user.id, email: user.email, role: user.role } };
}
