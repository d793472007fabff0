import { z } from 'zod';
import type { App } from '../../app.ts';
import { readDomainStats } from '../../db/domains/domain-stats.ts';
import { requireDomain } from './get-domain.ts';

export const DomainStats = z
  .object({
    domain: z.string(),
    pages_fetched: z.number().int(),
    pages_failed: z.number().int(),
    latency_ms: z.number().nullable(),
    stalled_by: z.string().nullable().describe('Why nothing of it is fetched now, such as PROXY_UNAVAILABLE.'),
    tasks_waiting: z.number().int().describe('Counted up to 10,000.'),
    tasks_in_flight: z.number().int(),
    pages: z.number().int(),
    pages_changed: z.number().int(),
    documents: z.number().int(),
    products: z.number().int(),
    errors: z.record(z.string(), z.number().int()).describe('Pages by the code of their last error.'),
  })
  .meta({ id: 'DomainStats' });

export async function getDomainStats(app: App, name: string): Promise<z.output<typeof DomainStats>> {
  const row = await requireDomain(app, name);
  const stats = await readDomainStats(app.database, row);
  const { domain, pages_fetched, pages_failed, latency_ms, stalled_by } = row;
  return { domain, pages_fetched, pages_failed, latency_ms, stalled_by, ...stats };
}
