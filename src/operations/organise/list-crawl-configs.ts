import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listCrawlConfigRows } from '../../db/organise/crawl-configs.ts';
import { decodeIdCursor, type Page, type PageQuery, toPage } from '../paging.ts';
import { type CrawlConfig, toCrawlConfig } from './crawl-config.ts';

export async function listCrawlConfigs(app: App, input: z.output<typeof PageQuery>): Promise<Page<CrawlConfig>> {
  const rows = await listCrawlConfigRows(app.database, input.limit + 1, decodeIdCursor(input.cursor));
  return toPage(rows, input.limit, (row) => [row.id], toCrawlConfig);
}
