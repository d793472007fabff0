import { z } from 'zod';
import type { App } from '../../app.ts';
import { clearResponses } from '../../db/pages/pages.ts';
import { CACHE_PREFIX } from '../../pipeline/index/cache-keys.ts';
import { toDomainName } from '../domains/domain.ts';

export const Cleared = z
  .object({ cleared: z.number().int().describe('Entries that answer no more.') })
  .meta({ id: 'Cleared' });
type Cleared = z.output<typeof Cleared>;

const PREFIXES = {
  query: [CACHE_PREFIX.query],
  embeddings: [CACHE_PREFIX.embedding, CACHE_PREFIX.queryEmbedding],
};

export async function clearCache(app: App, kind: keyof typeof PREFIXES): Promise<Cleared> {
  return { cleared: await clearPrefixes(app, PREFIXES[kind]) };
}

/** Stored responses stay for replays and history; a crawl that allows an age (max_age_s) fetches anew. */
export async function clearCrawlCache(app: App): Promise<Cleared> {
  return { cleared: await clearResponses(app.database) };
}

/** A search answer can hold pages of any domain, so all of those go too. */
export async function clearDomainCache(app: App, name: string): Promise<Cleared> {
  const responses = await clearResponses(app.database, toDomainName(name));
  return { cleared: responses + (await clearPrefixes(app, PREFIXES.query)) };
}

async function clearPrefixes(app: App, prefixes: readonly string[]): Promise<number> {
  let cleared = 0;
  for (const prefix of prefixes) cleared += await app.cache.deletePrefix(prefix);
  return cleared;
}
