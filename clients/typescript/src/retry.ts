import { CrawlerApiError } from './error.ts';

/** Statuses that say nothing about the request itself: the server, or what stands before it, could not take it now. */
const TRANSIENT = new Set([502, 503, 504]);
const FIRST_MS = 250;

export interface RetryRules {
  /** Doing it twice is doing it once: reading, replacing, deleting, and making with an Idempotency-Key. */
  repeatable: boolean;
  /** Longest wait between two tries; a server that asks for more gets no further try. */
  maxWaitMs: number;
}

/**
 * How long to wait before the next try, or undefined when there should be none. `tries` counts those that failed. The
 * waits grow and are spread, so that clients which failed together do not come back together.
 */
export function waitBeforeRetry(
  error: unknown,
  tries: number,
  { repeatable, maxWaitMs }: RetryRules,
  random: () => number = Math.random,
): number | undefined {
  if (!(error instanceof CrawlerApiError) || !mayRetry(error, repeatable)) return undefined;
  const backoff = Math.min(maxWaitMs, FIRST_MS * 2 ** (tries - 1));
  const asked = error.retryAfterMs ?? 0;
  if (asked > maxWaitMs) return undefined;
  // Not before the server asked for; spread above it.
  return Math.min(maxWaitMs, asked + backoff * (0.5 + random() / 2));
}

function mayRetry({ status, code, retryAfterMs }: CrawlerApiError, repeatable: boolean): boolean {
  // Refused before any work was done.
  if (status === 429) return true;
  if (!repeatable) return false;
  // The first request with this Idempotency-Key is still at work; its answer can be had later.
  if (status === 409) return code === 'CONFLICT' && retryAfterMs !== undefined;
  return TRANSIENT.has(status) || code === 'CONNECTION_FAILED' || code === 'TIMEOUT';
}

/** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
