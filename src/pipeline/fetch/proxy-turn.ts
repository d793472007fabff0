import type { Settings } from '../../config/settings.ts';
import { ensureDomains } from '../../db/domains/domains.ts';
import { reserveTurn } from '../../db/frontier/frontier.ts';
import { toProxyAddress } from '../../db/proxies/proxy-address.ts';
import { pickProxy } from '../../db/proxies/proxy-health.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Sql } from '../../ports/database.ts';
import type { Secrets } from '../../secrets.ts';
import { blockedError } from './blocked-error.ts';
import { sleepUntil } from './turn.ts';

/** How a domain is reached for a request that is not a task's own. */
export interface Way {
  domainId: string;
  proxyId: string | null;
  /** The proxy's address with its credentials; null: none, the domain uses no proxies. */
  proxy: string | null;
}

/**
 * Waits for a place in a domain's row of turns for a request that is not a task's own: robots.txt, a redirect, a
 * sitemap, an image. A domain that nobody met before gets its row here, so that its pace is kept from the first request
 * on. A blocked one rejects. One that uses proxies is asked through one of them, in that proxy's row, and never from our
 * own address: with all of them off it rejects.
 */
export async function takeProxyTurn(
  { database: sql, secrets, settings }: { database: Sql; secrets: Secrets; settings: Pick<Settings, 'rateLimit'> },
  domain: string,
): Promise<Way> {
  let row = await pickProxy(sql, domain);
  if (row === undefined) {
    await ensureDomains(sql, [{ id: newId(), domain }]);
    row = (await pickProxy(sql, domain))!;
  }
  if (!row.is_active) throw blockedError({ domain, blocked_reason: row.blocked_reason });
  if (row.uses_proxies && row.proxy === null)
    throw new AppError('PROXY_UNAVAILABLE', `every proxy of ${domain} is off`, { retryAfterMs: 30_000 });
  const { wait_ms } = await reserveTurn(sql, domain, row.proxy_id, settings.rateLimit.defaultRps);
  if (wait_ms > 0) await sleepUntil(performance.now() + wait_ms);
  return {
    domainId: row.domain_id,
    proxyId: row.proxy_id,
    proxy: row.proxy === null ? null : toProxyAddress(row.proxy, secrets),
  };
}
