import { LRUCache } from 'lru-cache';
import type { Settings } from '../../config/settings.ts';
import { findRobots, type RobotsRow, saveRobots } from '../../db/domains/robots.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Database } from '../../ports/database.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import { parseUrl } from '../../web/url.ts';
import { fetchRobots } from './fetch-robots.ts';
import type { Way } from './proxy-turn.ts';
import { parseRobots, productTokenOf, type RobotsRules } from './robots.ts';

export type RobotsVerdict =
  | { allowed: true; crawlDelayMs?: number }
  | {
      allowed: false;
      code: 'ROBOTS_DISALLOWED' | 'ROBOTS_UNAVAILABLE';
      reason: string;
      /** For ROBOTS_UNAVAILABLE: when it is asked for again. */
      retryAfterMs?: number;
    };

export interface RobotsPolicy {
  /**
   * Asks the robots.txt of the address's origin, reading it first when it is not known or no longer fresh. Rejects
   * with URL_INVALID or URL_BLOCKED for an address nothing may be asked of, and with what `beforeFetch` rejects with.
   */
  check(url: string, userAgent?: string): Promise<RobotsVerdict>;
  /** All an origin's file says to us; rejects with ROBOTS_UNAVAILABLE while it cannot be read. */
  rules(origin: string, userAgent?: string): Promise<RobotsRules>;
}

export interface RobotsPolicyOptions {
  fetcher: Fetcher;
  database: Database;
  settings: Pick<Settings, 'fetch' | 'userAgent'>;
  /**
   * Awaited before each request of ours to a domain, redirects included: the caller takes a turn in its row, and says
   * which way it was taken for.
   */
  beforeFetch(domain: string): Promise<Way>;
  /** Told after each reading what delay the domain has to keep from now on; 0 for none. */
  onDelay?(domain: string, delayMs: number): Promise<void>;
  now?(): number;
}

interface Entry {
  row: RobotsRow;
  rules: RobotsRules | undefined;
}

/** Characters of robots.txt whose parsed form is kept in memory; the rest is a read of the database away. */
const MAX_KEPT = 16 * 1024 * 1024;

/** The rules are kept in memory, behind that in the database, and each origin is asked once for all who wait. */
export function createRobotsPolicy(options: RobotsPolicyOptions): RobotsPolicy {
  const { database, settings, now = Date.now } = options;
  const entries = new LRUCache<string, Entry>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ row }) => 1_000 + (row.body?.length ?? 0),
  });
  const reading = new Map<string, Promise<RobotsRow>>();

  async function read(origin: string, domain: string): Promise<RobotsRow> {
    const stored = await findRobots(database, origin);
    if (stored !== undefined && stored.expires_at.getTime() > now()) return stored;
    const row = await fetchRobots(origin, domain, stored, { ...options, now });
    const delayMs = await saveRobots(database, newId(), domain, row);
    if (row.state !== 'unavailable') await options.onDelay?.(domain, delayMs);
    return row;
  }

  async function find(origin: string, domain: string, userAgent: string): Promise<Entry> {
    const token = productTokenOf(userAgent);
    const key = `${origin} ${token}`;
    const known = entries.get(key);
    if (known !== undefined && known.row.expires_at.getTime() > now()) return known;
    let pending = reading.get(origin);
    if (pending === undefined) {
      pending = read(origin, domain).finally(() => reading.delete(origin));
      reading.set(origin, pending);
    }
    const row = await pending;
    const rules = row.state === 'unavailable' ? undefined : parseRobots(row.body ?? '', token);
    const entry = { row, rules };
    entries.set(key, entry);
    return entry;
  }

  function locate(url: string): { url: string; origin: string; domain: string } {
    const parsed = parseUrl(url);
    if (!parsed.ok) throw new AppError(parsed.code, `${url}: ${parsed.reason}`);
    return parsed;
  }

  return {
    async check(address, userAgent = settings.userAgent) {
      const { url, origin, domain } = locate(address);
      const { row, rules } = await find(origin, domain, userAgent);
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

    async rules(address, userAgent = settings.userAgent) {
      const { origin, domain } = locate(address);
      const { row, rules } = await find(origin, domain, userAgent);
      if (rules !== undefined) return rules;
      throw new AppError('ROBOTS_UNAVAILABLE', describeFailure(row), {
        retryAfterMs: Math.max(0, row.expires_at.getTime() - now()),
      });
    },
  };
}

const describeFailure = ({ origin, reason }: RobotsRow): string => `${origin}/robots.txt ${reason ?? 'cannot be read'}`;
