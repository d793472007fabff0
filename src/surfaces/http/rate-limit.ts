import type { FastifyReply } from 'fastify';
import { AppError } from '../../errors.ts';
import { type Caller, LIMITS } from '../../operations/access/caller.ts';
import type { Cache } from '../../ports/cache.ts';

const WINDOW_S = 60;

/**
 * Counts a request in the caller's window of one minute and says so in the RateLimit headers. Windows start on the
 * minute, so that every process agrees on when one ends. A cache that does not answer lets requests through.
 */
export async function limitRate(
  cache: Cache,
  caller: Caller,
  reply: FastifyReply,
  limit: 'none' | 'seeding' | undefined,
  now: number,
): Promise<void> {
  if (limit === 'none') return;
  const [policy, quota] = limit === 'seeding' ? ['seeding', LIMITS.seeding] : ['default', caller.rpm];
  const window = Math.floor(now / 1_000 / WINDOW_S);
  const resetS = Math.max(1, Math.ceil((window + 1) * WINDOW_S - now / 1_000));
  const used = await cache.increment(`rate:${policy}:${caller.name}:${window}`, 1, WINDOW_S * 2_000).catch(() => 0);
  reply.header('ratelimit-policy', `"${policy}";q=${quota};w=${WINDOW_S}`);
  reply.header('ratelimit', `"${policy}";r=${Math.max(0, quota - used)};t=${resetS}`);
  if (used > quota)
    throw new AppError('RATE_LIMITED', `more than ${quota} requests in a minute`, {
      retryAfterMs: resetS * 1_000,
      hint:
        caller.kind === 'anonymous'
          ? 'Wait for Retry-After seconds, or send an API key: it has its own, wider limit.'
          : 'Wait for Retry-After seconds.',
    });
}
