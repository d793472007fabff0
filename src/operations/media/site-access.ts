import type { App } from '../../app.ts';
import { setCrawlDelay } from '../../db/domains/domains.ts';
import { AppError } from '../../errors.ts';
import { takeProxyTurn, type Way } from '../../pipeline/fetch/proxy-turn.ts';
import { createRobotsPolicy, type RobotsPolicy } from '../../pipeline/fetch/robots-policy.ts';
import { parseUrl } from '../../web/url.ts';

/** The way to a site for everything that is not a task: the same rules, the same row of turns. */
export interface SiteAccess {
  robots: RobotsPolicy;
  /** Waits for the domain's turn; resolves with the way to go. Rejects with DOMAIN_BLOCKED or URL_INVALID. */
  admit(url: string): Promise<Way>;
  /** Asks robots.txt as well: rejects with ROBOTS_DISALLOWED or ROBOTS_UNAVAILABLE. */
  enter(url: string): Promise<Way>;
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

function createSiteAccess(app: App): SiteAccess {
  const { database, fetcher, settings } = app;
  const takeTurn = (domain: string) => takeProxyTurn(app, domain);

  async function admit(url: string): Promise<Way> {
    const parsed = parseUrl(url);
    if (!parsed.ok) throw new AppError(parsed.code, `${url}: ${parsed.reason}`);
    return takeTurn(parsed.domain);
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
