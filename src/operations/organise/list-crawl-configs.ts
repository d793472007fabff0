import type { z } from 'zod';
import type { App } from '../../app.ts';
import { CONFIG_SORTS, listCrawlConfigRows } from '../../db/organise/crawl-configs.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { type CrawlConfig, toCrawlConfig } from './crawl-config.ts';

export const ListConfigsInput = ListQuery.extend(sortBy(CONFIG_SORTS));

export const listCrawlConfigs = (app: App, input: z.output<typeof ListConfigsInput>): Promise<ListPage<CrawlConfig>> =>
  readList(app.database, listCrawlConfigRows(), CONFIG_SORTS, input, toCrawlConfig);
