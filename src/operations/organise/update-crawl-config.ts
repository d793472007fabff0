import type { z } from 'zod';
import type { App } from '../../app.ts';
import { updateCrawlConfigRow } from '../../db/organise/crawl-configs.ts';
import { orConflict } from '../../db/unique.ts';
import { found } from '../found.ts';
import type { CrawlConfig, CrawlConfigInput } from './crawl-config.ts';

/** Crawls that run already keep the options they started with. */
export async function updateCrawlConfig(
  app: App,
  id: string,
  input: z.output<typeof CrawlConfigInput>,
): Promise<CrawlConfig> {
  const row = await orConflict(
    updateCrawlConfigRow(app.database, id, input),
    `a config is called "${input.name}" already`,
  );
  return found(row, 'config', id);
}
