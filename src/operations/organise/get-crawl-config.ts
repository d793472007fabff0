import type { App } from '../../app.ts';
import { findCrawlConfig } from '../../db/organise/crawl-configs.ts';
import { found } from '../found.ts';
import { type CrawlConfig, toCrawlConfig } from './crawl-config.ts';

export async function getCrawlConfig(app: App, id: string): Promise<CrawlConfig> {
  return toCrawlConfig(found(await findCrawlConfig(app.database, id), 'config', id));
}
