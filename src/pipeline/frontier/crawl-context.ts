import { LRUCache } from 'lru-cache';
import { type CrawlRow, getCrawlRow } from '../../db/crawls/crawls.ts';
import type { Sql } from '../../ports/database.ts';
import { parseUrl } from '../../web/url.ts';
import { createScope, type Scope } from './scope.ts';
import { createSeen, type SeenUrls } from './seen-urls.ts';

/** What does not change about a crawl while it runs, made ready for its pages. */
export interface CrawlContext {
  row: CrawlRow;
  scope: Scope;
  /** Addresses this process knows to be tasks of the crawl already; bounded, so it may forget. */
  seen: SeenUrls;
}

const MAX_SEEN = 200_000;
/** Crawls kept ready: with fewer than run at once, each page would load its crawl again. */
const MAX_CRAWLS = 500;

export function createCrawlContexts(sql: Sql): (crawlId: string) => Promise<CrawlContext | undefined> {
  const contexts = new LRUCache<string, Promise<CrawlContext | undefined>>({ max: MAX_CRAWLS });
  const seenOf = createSeen(MAX_SEEN);
  return (crawlId) => {
    let context = contexts.get(crawlId);
    if (context === undefined) {
      context = load(sql, crawlId, seenOf(crawlId));
      contexts.set(crawlId, context);
      context.catch(() => contexts.delete(crawlId));
    }
    return context;
  };
}

async function load(sql: Sql, crawlId: string, seen: SeenUrls): Promise<CrawlContext | undefined> {
  const row = await getCrawlRow(sql, crawlId);
  return row === undefined ? undefined : toContext(row, seen);
}

/** What admission needs to know about a crawl; without `seen`, nothing is. */
export function toContext(row: CrawlRow, seen: SeenUrls = new Set()): CrawlContext {
  const seeds = row.urls.map((url) => parseUrl(url)).filter((seed) => seed.ok);
  return { row, scope: createScope(seeds, row.options), seen };
}
