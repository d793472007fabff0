/** Between attempts, in seconds: with the jitter, about a day in all. */
const DELAYS_S = [5, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];
/** Messages that failed together must not all come back together. */
const JITTER = 0.2;

export const MAX_ATTEMPTS = DELAYS_S.length + 1;

/**
 * How long after its attempt number `attempt` a message is tried again; a receiver that asks for more time gets it.
 * Null: it was the last one.
 */
export function nextDelay(attempt: number, maxAttempts: number, retryAfterMs = 0): number | null {
  if (attempt >= maxAttempts) return null;
  const planned = DELAYS_S[attempt - 1] ?? DELAYS_S.at(-1)!;
  return Math.max(retryAfterMs / 1_000, planned) * (1 + Math.random() * JITTER);
}
