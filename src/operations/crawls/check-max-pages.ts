import type { App } from '../../app.ts';
import type { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import { AppError } from '../../errors.ts';

/** Refuses a crawl of more pages than the settings allow: one that is cut without a word looks complete. */
export function checkMaxPages({ settings }: Pick<App, 'settings'>, { max_pages: pages }: CrawlOptions): void {
  const most = settings.features.maxPagesPerDeepCrawl;
  if (pages === undefined || most === 0 || pages <= most) return;
  throw new AppError('VALIDATION_FAILED', `max_pages is ${pages}, and a crawl takes ${most} pages at most`, {
    details: { max_pages: `at most ${most}` },
    hint: `Ask for ${most} or fewer, or raise FEATURES__MAX_PAGES_PER_DEEP_CRAWL.`,
  });
}
