import { z } from 'zod';
import type { App } from '../../app.ts';
import { listRobotsRows } from '../../db/domains/robots.ts';
import { Time } from '../schemas.ts';
import { requireDomain } from './get-domain.ts';

/** robots.txt is per origin, and a domain can have several. */
export const DomainRobots = z
  .object({
    domain: z.string(),
    files: z.array(
      z.object({
        origin: z.string(),
        status: z.number().int().nullable(),
        reason: z.string().nullable().describe('Why it cannot be read.'),
        state: z.enum(['rules', 'allow_all', 'unavailable']),
        body: z.string().nullable(),
        crawl_delay_ms: z.number().int().nullable(),
        sitemaps: z.array(z.string()),
        fetched_at: Time,
        expires_at: Time,
      }),
    ),
  })
  .meta({ id: 'DomainRobots' });

export async function getDomainRobots(app: App, name: string): Promise<z.output<typeof DomainRobots>> {
  const row = await requireDomain(app, name);
  return { domain: row.domain, files: await listRobotsRows(app.database, row.id) };
}
