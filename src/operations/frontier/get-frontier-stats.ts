import { z } from 'zod';
import type { App } from '../../app.ts';
import { listBusiestDomains, readFrontierFigures } from '../../db/frontier/frontier-views.ts';
import { Time } from '../schemas.ts';

const MOST = 100_000;
const upTo = (what: string) => z.number().int().describe(`${what} Counted up to 100,000.`);

export const FrontierStats = z
  .object({
    waiting: z
      .number()
      .int()
      .describe('Tasks that may be fetched as soon as their domain is due. Counted up to 100,000, estimated beyond.'),
    delayed: upTo('Retries and planned visits whose time has not come.'),
    in_flight: upTo('Tasks that are being fetched or read.'),
    paused: upTo('Tasks that are paused.'),
    domains_waiting: z.number().int(),
    domains_due: z.number().int().describe('Domains that may be asked now.'),
    domains_blocked: z.number().int(),
    circuits_open: z.number().int(),
    oldest_at: Time.nullable().describe('When the oldest open crawl was made.'),
    busiest: z.array(z.object({ domain: z.string(), waiting: z.number().int(), next_at: Time.nullable() })),
  })
  .meta({ id: 'FrontierStats' });

export async function getFrontierStats(app: App): Promise<z.output<typeof FrontierStats>> {
  const figures = await readFrontierFigures(app.database, MOST);
  return { ...figures, busiest: await listBusiestDomains(app.database, MOST) };
}
