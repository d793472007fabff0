import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';

const MEMORY_MS = 15 * 60 * 1_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Tries that are counted together, and how many of them cost no wait. */
export interface Tries {
  key: string;
  free: number;
}

const byAddress = (ip: string): Tries => ({ key: `login:ip:${ip}`, free: 30 });

/**
 * Both counts are bound to the address that guesses, so no one can lock a user out from elsewhere, and a wait is never
 * longer than half a minute.
 */
export const countTries = (email: string, ip: string): Tries[] => [
  { key: `login:pair:${email}:${ip}`, free: 5 },
  byAddress(ip),
];

/** Tries that name no person: links. They share the count of their address with log-ins. */
export const countLinkTries = (ip: string): Tries[] => [byAddress(ip)];

/** Counts a try; beyond the free ones RATE_LIMITED. Counters that do not answer let tries through. */
export async function slowDownTries(app: App, tries: readonly Tries[]): Promise<void> {
  for (const each of tries)
    await slowDown(app, each).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'RATE_LIMITED') throw error;
    });
}

/** Beyond the free tries, one is let through per wait; each doubles the next wait. */
async function slowDown({ counters }: App, { key, free }: Tries): Promise<void> {
  const tries = await counters.increment(key, 1, MEMORY_MS);
  if (tries < free) return;
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (tries - free), LONGEST_WAIT_MS);
  if ((await counters.increment(`${key}:turn`, 1, waitMs)) > 1)
    throw new AppError('RATE_LIMITED', 'too many tries to log in', {
      retryAfterMs: waitMs,
      hint: 'Wait for Retry-After seconds, then try again; crawl4r keys login-link works at once.',
    });
}

/** After a try that was right. */
export async function forgetTries({ counters }: App, { key }: Tries): Promise<void> {
  await counters.delete([key, `${key}:turn`]).catch(() => undefined);
}
