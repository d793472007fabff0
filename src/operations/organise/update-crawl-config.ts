import type { z } from 'zod';
import type { App } from '../../app.ts';
import { updateCrawlConfigRow } from '../../db/organise/crawl-configs.ts';
import { orConflict } from '../../db/unique.ts';
import { checkChunkSize } from '../crawls/check-chunk-size.ts';
import { checkMaxPages } from '../crawls/check-max-pages.ts';
import { splitHeaders } from '../crawls/crawl-headers.ts';
import { found } from '../found.ts';
import { type CrawlConfig, type CrawlConfigInput, toCrawlConfig } from './crawl-config.ts';

/** Crawls that run already keep the options they started with. */
export async function updateCrawlConfig(
  app: App,
  id: string,
  input: z.output<typeof CrawlConfigInput>,
): Promise<CrawlConfig> {
  checkChunkSize(app, input.options);
  checkMaxPages(app, input.options);
  const change = { name: input.name, ...splitHeaders(app.secrets, input.options, []) };
  const row = await orConflict(
    updateCrawlConfigRow(app.database, id, change),
    `a config is called "${input.name}" already`,
  );
  return toCrawlConfig(found(row, 'config', id));
}
