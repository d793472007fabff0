import type { App } from '../app.ts';
import { findCrawlConfig } from '../db/crawl-configs.ts';
import type { CrawlConfig } from './crawl-config.ts';
import { found } from './found.ts';

export async function getCrawlConfig(app: App, id: string): Promise<CrawlConfig> {
  return found(await findCrawlConfig(app.database, id), 'config', id);
}
