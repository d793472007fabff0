import { z } from 'zod';
import type { App } from '../../app.ts';

export const CacheStats = z
  .object({
    entries: z.number().int(),
    bytes: z.number().int(),
    hits: z.number().int().describe('Since start.'),
    misses: z.number().int(),
    hit_rate: z.number().nullable(),
  })
  .meta({ id: 'CacheStats' });

/** What the engine reports; figures it does not have are zero. */
export async function getCacheStats(app: App): Promise<z.output<typeof CacheStats>> {
  const stats = (await app.cache.stats?.()) ?? { entries: 0, bytes: 0, hits: 0, misses: 0 };
  const asked = stats.hits + stats.misses;
  return { ...stats, hit_rate: asked === 0 ? null : stats.hits / asked };
}
