import { reserveTurn } from '../../db/frontier.ts';
import { pickProxy } from '../../db/proxy-health.ts';
import { AppError } from '../../errors.ts';
import type { Sql } from '../../ports/database.ts';
import { sleepUntil } from '../frontier/turn.ts';

export interface ChosenProxy {
  id: string;
  /** With its credentials. */
  address: string;
}

/**
 * Waits for a place in a domain's row of turns for a request that is not a task's. A domain that uses proxies is asked
 * through one of them, in that proxy's row, and never from our own address: with all of them off it rejects.
 */
export async function takeProxyTurn(sql: Sql, domain: string, defaultRps: number): Promise<ChosenProxy | undefined> {
  const { uses_proxies, proxy } = await pickProxy(sql, domain);
  if (uses_proxies && proxy === undefined)
    throw new AppError('PROXY_UNAVAILABLE', `every proxy of ${domain} is off`, { retryAfterMs: 30_000 });
  const { wait_ms } = await reserveTurn(sql, domain, proxy?.id ?? null, defaultRps);
  if (wait_ms > 0) await sleepUntil(performance.now() + wait_ms);
  return proxy;
}
