import type { ProxyHealth } from '../../db/proxies/proxy-health.ts';
import type { PageOutcome } from '../outcome.ts';

type PairHealth = ProxyHealth & { domain_id: string };

/**
 * What a batch of outcomes says about the proxies they came through, in the order the outcomes came. A proxy that failed
 * counts for all domains; a site that did not answer through it counts for that domain only, since either may be at fault;
 * an answer of the site that is an error says nothing.
 */
export function toProxyHealth(outcomes: readonly PageOutcome[]): { pairs: PairHealth[]; proxies: ProxyHealth[] } {
  const pairs = new Map<string, Tally<PairHealth>>();
  const proxies = new Map<string, Tally<ProxyHealth>>();
  for (const { task, feedback, error } of outcomes) {
    const proxyId = feedback.failedProxy ?? task.proxy_id;
    if (proxyId === null) continue;
    const ok = feedback.failedProxy === undefined ? feedback.ok : false;
    if (ok === undefined || error?.category === 'http') continue;
    const domainId = feedback.domainId ?? task.domain_id;
    // Another domain's failure, reached by a redirect, says nothing about this one's proxy.
    if (domainId !== task.domain_id && feedback.failedProxy === undefined) continue;
    const key = `${domainId} ${proxyId}`;
    const pair = pairs.get(key) ?? { ...empty(proxyId), domain_id: domainId };
    pairs.set(key, count(pair, ok, feedback.latencyMs));
    if (!ok && feedback.failedProxy === undefined) continue;
    proxies.set(proxyId, count(proxies.get(proxyId) ?? empty(proxyId), ok, feedback.latencyMs));
  }
  return { pairs: [...pairs.values()].map(settle), proxies: [...proxies.values()].map(settle) };
}

type Tally<Row> = Row & { times: number[] };

const empty = (proxyId: string): Tally<ProxyHealth> => ({
  proxy_id: proxyId,
  successes: 0,
  trailing_failures: 0,
  response_ms: null,
  times: [],
});

function count<Row extends Tally<ProxyHealth>>(row: Row, ok: boolean, latencyMs: number | undefined): Row {
  if (ok) row.successes++;
  row.trailing_failures = ok ? 0 : row.trailing_failures + 1;
  if (latencyMs !== undefined) row.times.push(latencyMs);
  return row;
}

function settle<Row extends ProxyHealth>({ times, ...row }: Row & { times: number[] }): Row {
  const response_ms = times.length === 0 ? null : times.reduce((sum, each) => sum + each, 0) / times.length;
  return { ...row, response_ms } as unknown as Row;
}
