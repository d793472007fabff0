import type { Cache } from '../../ports/cache.ts';

const WAIT_MS = 20;
const LOCK_MS = 5_000;

/** Values being computed in this process: other callers for the same key wait for the same promise. */
const making = new WeakMap<Cache, Map<string, Promise<Remembered>>>();

interface Remembered {
  value: Uint8Array;
  cached: boolean;
}

/**
 * The kept value, or a new one that is kept from then on. Many callers that miss at once compute it once: in the process by
 * sharing the promise, between processes by a lock whose losers wait for the winner's value, but not for long. A
 * cache that does not answer only costs time. What `make` marks as not to be kept is returned without being stored.
 */
export function remember(
  cache: Cache,
  key: string,
  ttlMs: number,
  make: () => Promise<{ value: Uint8Array; keep: boolean }>,
): Promise<Remembered> {
  const here = making.get(cache) ?? new Map<string, Promise<Remembered>>();
  making.set(cache, here);
  const running = here.get(key);
  if (running !== undefined) return running.then(({ value }) => ({ value, cached: true }));
  const promise = find(cache, key, ttlMs, make).finally(() => here.delete(key));
  here.set(key, promise);
  return promise;
}

async function find(
  cache: Cache,
  key: string,
  ttlMs: number,
  make: () => Promise<{ value: Uint8Array; keep: boolean }>,
): Promise<Remembered> {
  const kept = await cache.get(key).catch(() => undefined);
  if (kept !== undefined) return { value: kept, cached: true };
  const lock = await cache.lock(`lock:${key}`, LOCK_MS).catch(() => 'down' as const);
  if (lock === undefined) {
    for (let waited = 0; waited < LOCK_MS / 5; waited += WAIT_MS) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      const made = await cache.get(key).catch(() => undefined);
      if (made !== undefined) return { value: made, cached: true };
    }
  }
  try {
    const { value, keep } = await make();
    if (keep) await cache.set(key, value, ttlMs).catch(() => undefined);
    return { value, cached: false };
  } finally {
    if (lock !== 'down') await Promise.resolve(lock?.[Symbol.asyncDispose]()).catch(() => undefined);
  }
}
