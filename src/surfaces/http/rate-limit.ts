import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { AppError, toAppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type Caller, LIMITS } from '../../operations/access/caller.ts';
import type { Counters } from '../../ports/counters.ts';

const WINDOW_S = 60;
/** The part of a window that a process takes at once: it asks the counters for one request in twenty. */
const PARTS = 20;
const MAX_CALLERS = 50_000;
/** Counters that take longer than this count as down; they are asked again after the pause. */
const [PATIENCE_MS, PAUSE_MS] = [1_000, 1_000];

/** What this process has of a caller's window. */
interface Share {
  window: number;
  /** Reserved here and not spent. */
  rest: number;
  /** Reserved by all processes, as far as this one knows. */
  taken: number;
  /** Requests that wait for the reservation under way. */
  waiting: number;
  reserving?: Promise<void> | undefined;
}

/** `unknown`: the counters do not answer, and the request is let through. */
type Outcome = 'fits' | 'over' | 'unknown';

export interface RateLimiter {
  /**
   * Counts a request, says so in the RateLimit headers, and fails with RATE_LIMITED when it is one too many. Returns a promise
   * only when the counters have to be asked.
   */
  limit(caller: Caller, reply: FastifyReply, kind: 'none' | 'seeding' | undefined): Promise<void> | undefined;
}

export interface RateLimiterOptions {
  counters: Counters;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Windows of one minute that hold over all processes. Each process reserves a part of the caller's window from counters
 * that all share, and spends it without asking again.
 *
 * - Together the processes never let more than the limit through: what is reserved is never above it.
 * - A caller is refused only when the whole window is reserved; at most the unspent part of each other process,
 *   a twentieth of the limit less one request, is lost to it until the window ends.
 * - Windows start on the minute, so that every process agrees on when one ends.
 * - Counters that do not answer let requests through; that is logged.
 */
export function createRateLimiter({ counters, log, now }: RateLimiterOptions): RateLimiter {
  const shares = new LRUCache<string, Share>({ max: MAX_CALLERS });
  let downUntil = Number.NEGATIVE_INFINITY;

  async function reserve(key: string, share: Share, quota: number): Promise<void> {
    try {
      const by = Math.min(quota, Math.max(1, Math.floor(quota / PARTS), share.waiting));
      const taken = await inTime(counters.increment(`rate:${key}:${share.window}`, by, WINDOW_S * 2_000));
      // The part of it that lies below the limit is ours.
      share.rest += Math.max(0, Math.min(by, quota - (taken - by)));
      share.taken = taken;
    } catch (error) {
      downUntil = performance.now() + PAUSE_MS;
      log.warn('rate_limit_down', { error: toAppError(error).message });
    } finally {
      share.reserving = undefined;
    }
  }

  function shareOf(key: string, window: number): Share {
    const held = shares.get(key);
    if (held !== undefined && held.window === window) return held;
    const share = { window, rest: 0, taken: 0, waiting: 0 };
    shares.set(key, share);
    return share;
  }

  /** Spends one at once, or says that the window is over; undefined: the counters have to be asked first. */
  function spend(share: Share, quota: number): Outcome | undefined {
    if (share.rest > 0) {
      share.rest--;
      return 'fits';
    }
    return share.taken >= quota ? 'over' : undefined;
  }

  /** Reserves until one can be spent. What a reservation brings may be spent by others that waited for it. */
  async function askAndSpend(key: string, share: Share, quota: number): Promise<Outcome> {
    for (;;) {
      if (performance.now() < downUntil) return 'unknown';
      share.waiting++;
      share.reserving ??= reserve(key, share, quota);
      await share.reserving;
      share.waiting--;
      const outcome = spend(share, quota);
      if (outcome !== undefined) return outcome;
    }
  }

  return {
    limit(caller, reply, kind) {
      if (kind === 'none') return undefined;
      const [policy, quota] = kind === 'seeding' ? ['seeding', LIMITS.seeding] : ['default', caller.rpm];
      const seconds = now() / 1_000;
      const window = Math.floor(seconds / WINDOW_S);
      const resetS = Math.max(1, Math.ceil((window + 1) * WINDOW_S - seconds));
      const key = `${policy}:${caller.name}`;
      const share = shareOf(key, window);
      const report = (outcome: Outcome): void => {
        const left = outcome === 'unknown' ? quota : Math.max(0, quota - share.taken) + share.rest;
        reply.header('ratelimit-policy', `"${policy}";q=${quota};w=${WINDOW_S}`);
        reply.header('ratelimit', `"${policy}";r=${left};t=${resetS}`);
        if (outcome === 'over') throw refuse(caller, quota, resetS);
      };
      const outcome = spend(share, quota);
      if (outcome === undefined) return askAndSpend(key, share, quota).then(report);
      report(outcome);
      return undefined;
    },
  };
}

const refuse = (caller: Caller, quota: number, resetS: number) =>
  new AppError('RATE_LIMITED', `more than ${quota} requests in a minute`, {
    retryAfterMs: resetS * 1_000,
    hint:
      caller.kind === 'anonymous'
        ? 'Wait for Retry-After seconds, or send an API key: it has its own, wider limit.'
        : 'Wait for Retry-After seconds.',
  });

/** A count that comes too late is lost to the caller, never added twice. */
async function inTime(counting: Promise<number>): Promise<number> {
  counting.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('ENGINE_DOWN', 'the counters do not answer')), PATIENCE_MS);
  });
  try {
    return await Promise.race([counting, late]);
  } finally {
    clearTimeout(timer);
  }
}
