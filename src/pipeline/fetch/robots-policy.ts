import { LRUCache } from 'lru-cache';
import type { Settings } from '../../config/settings.ts';
import type { RobotsRow } from '../../db/domains/robots.ts';
import { AppError, toAppError } from '../../errors.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import { parseUrl } from '../../web/url.ts';
import { fetchRobots } from './fetch-robots.ts';
import type { PoliteClient, VisitOptions } from './polite-client.ts';
import { parseRobots, productTokenOf, type RobotsRules } from './robots.ts';
import type { RobotsStore } from './robots-store.ts';

export type RobotsVerdict =
  | { allowed: true; crawlDelayMs?: number }
  | {
      allowed: false;
      code: 'ROBOTS_DISALLOWED' | 'ROBOTS_UNAVAILABLE';
      reason: string;
      /** For ROBOTS_UNAVAILABLE: when it is requested again. */
      retryAfterMs?: number;
    };

export interface RobotsPolicy {
  /**
   * Checks the robots.txt of the address's origin, fetching it first when it is not known or no longer fresh. Rejects with
   * URL_INVALID or URL_BLOCKED for an address that may not be requested, and with the error that prevents fetching the file now.
   */
  check(url: string, options: RobotsOptions): Promise<RobotsVerdict>;
  /** All rules of an origin's file for our user agent; rejects with ROBOTS_UNAVAILABLE while it cannot be read. */
  rules(origin: string, options: RobotsOptions): Promise<RobotsRules>;
}

/** How the file is fetched, and for which user agent it is read. */
export type RobotsOptions = Pick<VisitOptions, 'userAgent' | 'deadlineAt' | 'signal' | 'proxy' | 'home'>;

export interface RobotsPolicyOptions {
  fetcher: Fetcher;
  store: RobotsStore;
  settings: Pick<Settings, 'fetch' | 'userAgent'>;
  visit: PoliteClient['visit'];
  /** Called after each reading with the delay the domain has to keep from now on; 0 for none. */
  slowDown(domain: string, delayMs: number): Promise<unknown>;
  now?(): number;
}

interface Entry {
  row: RobotsRow;
  rules: RobotsRules | undefined;
}

/** Characters of robots.txt whose parsed form is kept in memory; the rest is a read of the database away. */
const MAX_KEPT = 16 * 1024 * 1024;

/** The rules are kept in memory, behind that in the store, and each origin is fetched once for all waiters. */
export function createRobotsPolicy(options: RobotsPolicyOptions): RobotsPolicy {
  const { store, settings, now = Date.now } = options;
  const entries = new LRUCache<string, Entry>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ row }) => 1_000 + (row.body?.length ?? 0),
  });
  const reading = new Map<string, Promise<RobotsRow>>();

  async function read(origin: string, domain: string, how: RobotsOptions): Promise<RobotsRow> {
    const stored = await store.find(origin);
    if (stored !== undefined && stored.expires_at.getTime() > now()) return stored;
    const row = await fetchRobots(origin, stored, how, { ...options, now });
    // An answer through a caller's own proxy counts for that request alone.
    if (how.proxy !== undefined) return row;
    const delayMs = await store.save(domain, row);
    if (row.state !== 'unavailable') await options.slowDown(domain, delayMs);
    return row;
  }

  async function readOnce(origin: string, domain: string, how: RobotsOptions): Promise<RobotsRow> {
    for (let pending = reading.get(origin); pending !== undefined; pending = reading.get(origin)) {
      try {
        return await pending;
      } catch (error) {
        // A failure of the first reader's own (the end of its turn, its deadline) does not fail the others.
        if (!toAppError(error).has('held_off')) throw error;
      }
    }
    const pending = read(origin, domain, how).finally(() => reading.delete(origin));
    reading.set(origin, pending);
    return pending;
  }

  async function find(origin: string, domain: string, how: RobotsOptions): Promise<Entry> {
    const token = productTokenOf(how.userAgent ?? settings.userAgent);
    const key = `${origin} ${token}`;
    const known = entries.get(key);
    if (known !== undefined && known.row.expires_at.getTime() > now()) return known;
    const row = await (how.proxy === undefined ? readOnce(origin, domain, how) : read(origin, domain, how));
    const rules = row.state === 'unavailable' ? undefined : parseRobots(row.body ?? '', token);
    const entry = { row, rules };
    if (how.proxy === undefined) entries.set(key, entry);
    return entry;
  }

  function locate(url: string): { url: string; origin: string; domain: string } {
    const parsed = parseUrl(url);
    if (!parsed.ok) throw new AppError(parsed.code, `${url}: ${parsed.reason}`);
    return parsed;
  }

  return {
    async check(address, how) {
      const { url, origin, domain } = locate(address);
      const { row, rules } = await find(origin, domain, how);
      if (rules === undefined)
        return {
          allowed: false,
          code: 'ROBOTS_UNAVAILABLE',
          reason: describeFailure(row),
          retryAfterMs: Math.max(0, row.expires_at.getTime() - now()),
        };
      if (!rules.allows(url))
        return { allowed: false, code: 'ROBOTS_DISALLOWED', reason: `${origin}/robots.txt forbids ${url}` };
      const delayMs = Math.min(rules.crawlDelayMs ?? 0, settings.fetch.maxCrawlDelayS * 1000);
      return delayMs > 0 ? { allowed: true, crawlDelayMs: delayMs } : { allowed: true };
    },

    async rules(address, how) {
      const { origin, domain } = locate(address);
      const { row, rules } = await find(origin, domain, how);
      if (rules !== undefined) return rules;
      throw new AppError('ROBOTS_UNAVAILABLE', describeFailure(row), {
        retryAfterMs: Math.max(0, row.expires_at.getTime() - now()),
      });
    },
  };
}

const describeFailure = ({ origin, reason }: RobotsRow): string => `${origin}/robots.txt ${reason ?? 'cannot be read'}`;
