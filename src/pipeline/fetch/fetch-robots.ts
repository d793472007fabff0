import { isUtf8 } from 'node:buffer';
import type { RobotsRow } from '../../db/domains/robots.ts';
import { AppError } from '../../errors.ts';
import type { FetchResponse } from '../../ports/fetcher.ts';
import { parseRetryAfter } from './retry.ts';
import { fromUtf16, MAX_ROBOTS_BYTES, parseRobots } from './robots.ts';
import type { RobotsOptions, RobotsPolicyOptions } from './robots-policy.ts';

/** RFC 9309 requires at least five hops, and for no copy older than a day. */
const MAX_REDIRECTS = 5;
const MAX_TTL_MS = 86_400_000;
/** A file may be longer than the part of it that is read. */
const MAX_BYTES = 8 * MAX_ROBOTS_BYTES;
const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 3_600_000;

type Options = RobotsPolicyOptions & { now(): number };

/**
 * Fetches a site's robots.txt and interprets the answer:
 * 2xx: its rules; other 4xx, and an endless chain of redirects: no rules; 429, 5xx or no answer: nothing may be fetched
 * until the next try, first after a minute, then at growing intervals. A host that is not there (no address, no connection,
 * not the name on its certificate) rejects with that: no page of it could be fetched either, and a mistyped name or port
 * is reported at once.
 */
export async function fetchRobots(
  origin: string,
  before: RobotsRow | undefined,
  how: RobotsOptions,
  options: Options,
): Promise<RobotsRow> {
  const { fetcher, settings, visit, now } = options;
  let hops = 0;
  try {
    const response = await visit(`${origin}/robots.txt`, { ...how, robots: false }, ({ onRedirect, ...way }) =>
      fetcher.fetch({
        ...way,
        url: `${origin}/robots.txt`,
        headers: { accept: 'text/plain,*/*;q=0.5' },
        maxBytes: MAX_BYTES,
        maxRedirects: MAX_REDIRECTS,
        onRedirect: (from, to) => {
          hops++;
          return onRedirect!(from, to);
        },
      }),
    );
    return judge(response);
  } catch (error) {
    if (how.signal?.aborted)
      throw new AppError('CANCELLED', 'nobody waits for this robots.txt any more', { cause: error });
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'TOO_MANY_REDIRECTS') return lasting('allow_all', null, '');
    // The site itself is out of bounds or not there, or it may not be requested now: that is not about its robots.txt.
    if (error.has('held_off') || (error.has('no_site') && hops === 0)) throw error;
    return unavailable(null, `cannot be read: ${error.message}`);
  }

  function judge({ status, headers, body }: FetchResponse): RobotsRow {
    if (status >= 500 || status === 429)
      return unavailable(status, `answers ${status}`, parseRetryAfter(headers['retry-after'], now(), MAX_TTL_MS));
    if (status >= 300) return lasting('allow_all', status, '');
    return lasting('rules', status, readText(body));
  }

  function lasting(state: 'rules' | 'allow_all', status: number | null, body: string): RobotsRow {
    const { crawlDelayMs, sitemaps } = parseRobots(body, settings.userAgent);
    const delay = crawlDelayMs === undefined ? null : Math.min(crawlDelayMs, settings.fetch.maxCrawlDelayS * 1000);
    const ttl = Math.min(settings.fetch.robotsTtlS * 1000, MAX_TTL_MS);
    const base = { origin, state, status, reason: null, body, crawl_delay_ms: delay, sitemaps };
    return { ...base, fetched_at: new Date(now()), expires_at: new Date(now() + ttl) };
  }

  function unavailable(status: number | null, reason: string, retryAfterMs = 0): RobotsRow {
    const waited =
      before?.state === 'unavailable' ? before.expires_at.getTime() - before.fetched_at.getTime() : FIRST_RETRY_MS / 2;
    const wait = Math.max(Math.min(waited * 2, LAST_RETRY_MS), retryAfterMs);
    const state = 'unavailable' as const;
    const base = { origin, state, status, reason, body: null, crawl_delay_ms: null, sitemaps: [] };
    return { ...base, fetched_at: new Date(now()), expires_at: new Date(now() + wait) };
  }
}

/**
 * The file as text the database takes. Where it is not UTF-8, bytes beyond ASCII are kept as escapes: rules compare
 * the same, whatever charset they were meant in.
 */
function readText(body: Uint8Array): string {
  const bytes = Buffer.from(fromUtf16(body));
  const text = isUtf8(bytes)
    ? bytes.toString()
    : bytes.toString('latin1').replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return text.replaceAll('\0', ' ');
}
