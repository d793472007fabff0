import type { z } from 'zod';
import type { App } from '../../app.ts';
import { insertCrawlConfig } from '../../db/organise/crawl-configs.ts';
import { orConflict } from '../../db/unique.ts';
import { newId } from '../../ids.ts';
import { checkChunkSize } from '../crawls/check-chunk-size.ts';
import { checkMaxPages } from '../crawls/check-max-pages.ts';
import { splitHeaders } from '../crawls/crawl-headers.ts';
import { type CrawlConfig, type CrawlConfigInput, toCrawlConfig } from './crawl-config.ts';

export async function createCrawlConfig(app: App, input: z.output<typeof CrawlConfigInput>): Promise<CrawlConfig> {
  checkChunkSize(app, input.options);
  checkMaxPages(app, input.options);
  const { options, headers = {} } = splitHeaders(app.secrets, input.options, []);
  const row = await orConflict(
    insertCrawlConfig(app.database, { id: newId(), name: input.name, options, headers }),
    `a config is called "${input.name}" already`,
  );
  return toCrawlConfig(row);
}
