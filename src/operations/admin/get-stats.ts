import { z } from 'zod';
import type { App } from '../../app.ts';
import { readOverview } from '../../db/admin/overview.ts';

const counts = z.record(z.string(), z.number().int());

/** Public: figures only, no names. */
export const Stats = z
  .object({
    pages: z.number().int(),
    documents: z.number().int(),
    chunks: z.number().int(),
    products: z.number().int(),
    domains: z.number().int(),
    sources: z.number().int(),
    crawls: counts.describe('By status.'),
    jobs: counts.describe('By status.'),
    tasks_open: z.number().int(),
    tasks_failed: z.number().int().describe('The dead-letter list, counted up to 100,000.'),
    outbox: z.number().int().describe('Documents that wait for the indexer, counted up to 100,000.'),
    workers: z.number().int().describe('Seen within two minutes.'),
  })
  .meta({ id: 'Stats' });

export const getStats = (app: App): Promise<z.output<typeof Stats>> => readOverview(app.database);
