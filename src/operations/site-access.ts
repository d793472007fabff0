import type { App } from '../app.ts';
import { findDomain } from '../db/domain-policy.ts';
import { ensureDomains, setCrawlDelay } from '../db/domains.ts';
import { reserveTurn } from '../db/frontier.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { createRobotsPolicy, type RobotsPolicy } from '../pipeline/fetch/robots-policy.ts';
import { parseUrl } from '../pipeline/fetch/url.ts';
import { sleepUntil } from '../pipeline/frontier/turn.ts';

/** The way to a site for everything that is not a task: the same rules, the same row of turns. */
export interface SiteAccess {
  robots: RobotsPolicy;
  /** Waits for the domain's turn; rejects with DOMAIN_BLOCKED or URL_INVALID. */
  admit(url: string): Promise<void>;
  /** Asks robots.txt as well: rejects with ROBOTS_DISALLOWED or ROBOTS_UNAVAILABLE. */
  enter(url: string): Promise<void>;
}

const known = new WeakMap<App, SiteAccess>();

export function siteAccess(app: App): SiteAccess {
  let access = known.get(app);
  if (access === undefined) {
    access = createSiteAccess(app);
    known.set(app, access);
  }
  return access;
}

function createSiteAccess({ database, fetcher, settings }: App): SiteAccess {
  async function takeTurn(domain: string): Promise<void> {
    await ensureDomains(database, [{ id: newId(), domain }]);
    const row = await findDomain(database, domain);
    if (row?.is_active === false)
      throw new AppError(
        'DOMAIN_BLOCKED',
        `${domain} is blocked${row.blocked_reason ? `: ${row.blocked_reason}` : ''}`,
      );
    const { wait_ms } = await reserveTurn(database, domain, null, settings.rateLimit.defaultRps);
    if (wait_ms > 0) await sleepUntil(performance.now() + wait_ms);
  }

  async function admit(url: string): Promise<void> {
    const parsed = parseUrl(url);
    if (!parsed.ok) throw new AppError(parsed.code, `${url}: ${parsed.reason}`);
    await takeTurn(parsed.domain);
  }

  const robots = createRobotsPolicy({
    fetcher,
    database,
    settings,
    beforeFetch: takeTurn,
    onDelay: (domain, delayMs) =>
      setCrawlDelay(database, domain, Math.min(delayMs, settings.fetch.maxCrawlDelayS * 1_000)),
  });

  return {
    robots,
    admit,
    async enter(url) {
      const verdict = await robots.check(url);
      if (!verdict.allowed)
        throw new AppError(verdict.code, verdict.reason, {
          ...(verdict.retryAfterMs !== undefined && { retryAfterMs: verdict.retryAfterMs }),
        });
      await admit(url);
    },
  };
}
