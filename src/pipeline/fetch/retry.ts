import type { AppError } from '../../errors.ts';

/** When to try again after an error, in milliseconds; undefined: never. Full delays with up to a quarter of jitter. */
export function retryDelay(
  error: AppError,
  failures: number,
  limits: { maxRetries: number; delaysMs: readonly number[] },
): number | undefined {
  if (!error.retryable || failures >= limits.maxRetries) return undefined;
  const planned = limits.delaysMs[Math.min(failures, limits.delaysMs.length - 1)] ?? 1_000;
  const base = Math.max(error.retryAfterMs ?? 0, planned);
  return Math.round(base * (1 + Math.random() / 4));
}

/** Retry-After as seconds or as an HTTP date; at most `maxMs`, an hour, is accepted. */
export function parseRetryAfter(value: string | undefined, now = Date.now(), maxMs = 3_600_000): number | undefined {
  if (value === undefined) return undefined;
  const delay = /^\s*\d+\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(delay) ? Math.min(maxMs, Math.max(0, delay)) : undefined;
}
