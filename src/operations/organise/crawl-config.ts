import { z } from 'zod';
import { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import { Id, Time } from '../schemas.ts';

export const CrawlConfig = z
  .object({ id: Id, name: z.string(), options: CrawlOptions, created_at: Time, updated_at: Time })
  .meta({ id: 'CrawlConfig' });
export type CrawlConfig = z.output<typeof CrawlConfig>;

export const CrawlConfigInput = z.strictObject({
  name: z.string().trim().min(1).max(200),
  options: CrawlOptions.default({}),
});
