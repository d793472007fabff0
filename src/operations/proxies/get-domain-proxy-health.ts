import { z } from 'zod';
import type { App } from '../../app.ts';
import { listDomainProxyRows } from '../../db/proxies/domain-proxies.ts';
import { requireDomain } from '../domains/get-domain.ts';
import { DomainProxy, toDomainProxy } from './domain-proxy.ts';

export const DomainProxyHealth = z
  .object({
    domain: z.string(),
    strategy: z.string(),
    total: z.number().int(),
    active: z.number().int(),
    failing: z.number().int().describe('With at least one failure in a row.'),
    requests: z.number().int(),
    success_rate: z.number().nullable(),
    avg_response_ms: z.number().nullable(),
    proxies: z.array(DomainProxy),
  })
  .meta({ id: 'DomainProxyHealth' });

export async function getDomainProxyHealth(app: App, name: string): Promise<z.output<typeof DomainProxyHealth>> {
  const domain = await requireDomain(app, name);
  const proxies = (await listDomainProxyRows(app.database, domain.id)).map(toDomainProxy);
  const sum = (of: (proxy: DomainProxy) => number) => proxies.reduce((total, proxy) => total + of(proxy), 0);
  const requests = sum((proxy) => proxy.use_count);
  const timed = sum((proxy) => (proxy.avg_response_ms === null ? 0 : proxy.success_count));
  return {
    domain: domain.domain,
    strategy: domain.proxy_strategy,
    total: proxies.length,
    active: proxies.filter((proxy) => proxy.is_active).length,
    failing: proxies.filter((proxy) => proxy.failure_count > 0).length,
    requests,
    success_rate: requests === 0 ? null : Math.min(1, sum((proxy) => proxy.success_count) / requests),
    avg_response_ms: timed === 0 ? null : sum((proxy) => (proxy.avg_response_ms ?? 0) * proxy.success_count) / timed,
    proxies,
  };
}
