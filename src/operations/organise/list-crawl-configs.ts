import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listCrawlConfigRows } from '../../db/organise/crawl-configs.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import { type CrawlConfig, toCrawlConfig } from './crawl-config.ts';

export async function listCrawlConfigs(app: App, input: z.output<typeof ListQuery>): Promise<ListPage<CrawlConfig>> {
  const rows = await listCrawlConfigRows(app.database, input.limit + 1, decodeIdCursor(input.cursor));
  return toListPage(rows, input.limit, (row) => [row.id], toCrawlConfig);
}
