import type { App } from '../app.ts';
import { findDomain } from '../db/domain-policy.ts';
import { ensureDomains, setCrawlDelay } from '../db/domains.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { type ChosenProxy, takeProxyTurn } from '../pipeline/fetch/proxy-turn.ts';
import { createRobotsPolicy, type RobotsPolicy } from '../pipeline/fetch/robots-policy.ts';
import { parseUrl } from '../pipeline/fetch/url.ts';

/** The way to a site for everything that is not a task: the same rules, the same row of turns. */
export interface SiteAccess {
  robots: RobotsPolicy;
  /** Waits for the domain's turn; resolves with the proxy to go through, if any. Rejects with DOMAIN_BLOCKED or URL_INVALID. */
  admit(url: string): Promise<string | undefined>;
  /** Asks robots.txt as well: rejects with ROBOTS_DISALLOWED or ROBOTS_UNAVAILABLE. */
  enter(url: string): Promise<string | undefined>;
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
  async function takeTurn(domain: string): Promise<ChosenProxy | undefined> {
    await ensureDomains(database, [{ id: newId(), domain }]);
    const row = await findDomain(database, domain);
    if (row?.is_active === false)
      throw new AppError(
        'DOMAIN_BLOCKED',
        `${domain} is blocked${row.blocked_reason ? `: ${row.blocked_reason}` : ''}`,
      );
    return takeProxyTurn(database, domain, settings.rateLimit.defaultRps);
  }

  async function admit(url: string): Promise<string | undefined> {
    const parsed = parseUrl(url);
    if (!parsed.ok) throw new AppError(parsed.code, `${url}: ${parsed.reason}`);
    return (await takeTurn(parsed.domain))?.address;
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
      return admit(url);
    },
  };
}
