import { LRUCache } from 'lru-cache';
import { type CrawlRow, getCrawlRow } from '../../db/crawls.ts';
import type { Sql } from '../../ports/database.ts';
import { parseUrl } from '../fetch/url.ts';
import { createScope, type Scope } from './scope.ts';

/** What does not change about a crawl while it runs, made ready for its pages. */
export interface CrawlContext {
  row: CrawlRow;
  scope: Scope;
  /** Addresses this process knows to be tasks of the crawl already; bounded, so it may forget. */
  seen: LRUCache<string, true>;
}

const SEEN_PER_CRAWL = 200_000;

export function createCrawlContexts(sql: Sql): (crawlId: string) => Promise<CrawlContext | undefined> {
  const contexts = new LRUCache<string, Promise<CrawlContext | undefined>>({ max: 20 });
  return (crawlId) => {
    let context = contexts.get(crawlId);
    if (context === undefined) {
      context = load(sql, crawlId);
      contexts.set(crawlId, context);
      context.catch(() => contexts.delete(crawlId));
    }
    return context;
  };
}

async function load(sql: Sql, crawlId: string): Promise<CrawlContext | undefined> {
  const row = await getCrawlRow(sql, crawlId);
  if (row === undefined) return undefined;
  const seeds = row.urls.map((url) => parseUrl(url)).filter((seed) => seed.ok);
  return { row, scope: createScope(seeds, row.options), seen: new LRUCache({ max: SEEN_PER_CRAWL }) };
}
