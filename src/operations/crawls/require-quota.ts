import type { App } from '../../app.ts';
import type { CrawlRow } from '../../db/crawls/crawls.ts';
import { CRAWLS_OVER } from '../../db/crawls/states.ts';
import type { Transaction } from '../../ports/database.ts';
import { findHolders, requireQuota } from '../access/quotas.ts';

/**
 * Refuses to fetch `pages` of a crawl's pages again (undefined: all of them) where they do not fit into the quotas of who started
 * it. A crawl that is over is open from then on, and may fetch as many pages as it is allowed.
 */
export async function requireQuotaAgain(app: App, tx: Transaction, crawl: CrawlRow, pages?: number): Promise<void> {
  const over = CRAWLS_OVER.includes(crawl.status);
  const done = crawl.pages_crawled + crawl.pages_failed + crawl.pages_skipped + crawl.pages_cancelled;
  const again = pages ?? done;
  const more = over ? Math.max(0, crawl.max_pages - done) : 0;
  const holders = await findHolders(tx, { createdBy: crawl.created_by, userId: crawl.user_id });
  await requireQuota(app, tx, holders, { crawls: over ? 1 : 0, pages: again + more });
}
