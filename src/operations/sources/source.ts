import { Cron } from 'croner';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import type { SourceFields, SourceRow } from '../../db/sources/sources.ts';
import { requireUrl } from '../checked-url.ts';
import { checkChunkSize } from '../crawls/check-chunk-size.ts';
import { checkMaxPages } from '../crawls/check-max-pages.ts';
import { CrawlOptionsInput, HeaderView, splitHeaders, viewHeaders } from '../crawls/crawl-headers.ts';
import { TimeZone } from '../domains/domain.ts';
import type { OtherNames } from '../other-names.ts';
import { Id, Time } from '../schemas.ts';

/** A site that is crawled again on a schedule. */
export const Source = z
  .object({
    id: Id,
    name: z.string(),
    url: z.string(),
    crawl_config_id: Id.nullable(),
    collection_id: Id.nullable(),
    options: CrawlOptions,
    ...HeaderView,
    schedule_cron: z.string().nullable(),
    time_zone: z.string(),
    is_active: z.boolean(),
    next_run_at: Time.nullable(),
    waiting_since: Time.nullable().describe('A run is due since then and waits for the end of the last one.'),
    last_crawled_at: Time.nullable().describe('When its latest crawl began.'),
    last_error: z.string().nullable().describe('Why the latest run could not start.'),
    created_by: z.string().describe('Who added it: its runs count for them.'),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Source' });
export type Source = z.output<typeof Source>;

const isCron = (pattern: string) => {
  try {
    return new Cron(pattern, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
};

export const SourceInput = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    url: z.string().trim().min(1).max(2_048).describe('Where each run starts.'),
    crawl_config_id: Id.nullish(),
    collection_id: Id.nullish(),
    options: CrawlOptionsInput.default({}).describe('Wins over the config.'),
    schedule_cron: z
      .string()
      .trim()
      .max(100)
      .refine(isCron, 'five fields such as 0 */6 * * *, with a time that comes')
      .nullish()
      .describe('Absent: only when triggered.'),
    time_zone: TimeZone.default('UTC'),
    is_active: z.boolean().default(true),
  })
  .meta({ otherNames: { url_pattern: 'url' } satisfies OtherNames });

export const toSource = ({ headers, user_id: _, ...row }: SourceRow): Source => ({ ...row, ...viewHeaders(headers) });

/** The next time a schedule comes due, on the clock of its time zone. */
export const nextRun = (cron: string, timeZone: string, after = new Date()) =>
  new Cron(cron, { timezone: timeZone, paused: true }).nextRun(after);

export function toSourceFields(app: App, input: z.output<typeof SourceInput>): SourceFields {
  const { guard, secrets } = app;
  checkChunkSize(app, input.options);
  checkMaxPages(app, input.options);
  const { url } = requireUrl(guard, input.url);
  const cron = input.schedule_cron ?? null;
  return {
    name: input.name,
    url,
    crawl_config_id: input.crawl_config_id ?? null,
    collection_id: input.collection_id ?? null,
    ...splitHeaders(secrets, input.options, [url]),
    schedule_cron: cron,
    time_zone: input.time_zone,
    is_active: input.is_active,
    next_run_at: cron === null || !input.is_active ? null : nextRun(cron, input.time_zone),
  };
}
