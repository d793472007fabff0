import { z } from 'zod';
import type { App } from '../../app.ts';
import { CACHE_PREFIX } from '../../pipeline/index/cache-keys.ts';
import { toDomainName } from '../domains/domain.ts';

export const Cleared = z.object({ cleared: z.number().int().describe('Entries removed.') }).meta({ id: 'Cleared' });

const PREFIXES = {
  crawl: [CACHE_PREFIX.crawl],
  query: [CACHE_PREFIX.query],
  embeddings: [CACHE_PREFIX.embedding, CACHE_PREFIX.queryEmbedding],
};

export const clearCache = (app: App, kind: keyof typeof PREFIXES) => clear(app, PREFIXES[kind]);

/** A search answer can hold pages of any domain, so all of those go too. */
export const clearDomainCache = (app: App, name: string) =>
  clear(app, [`${CACHE_PREFIX.crawl}${toDomainName(name)}:`, CACHE_PREFIX.query]);

async function clear(app: App, prefixes: readonly string[]): Promise<z.output<typeof Cleared>> {
  let cleared = 0;
  for (const prefix of prefixes) cleared += await app.cache.deletePrefix(prefix);
  return { cleared };
}
