import { z } from 'zod';
import type { App } from '../../app.ts';
import { countReplay, type ReplayFilter, replayTasks } from '../../db/crawls/replay.ts';
import { toDomainName } from '../domains/domain.ts';
import { Moment } from '../schemas.ts';
import { moveTasks } from '../tasks/move-tasks.ts';

const BATCH = 1_000;

export const ReplayInput = z.strictObject({
  domain: z.string().trim().min(1).max(260).optional(),
  since: Moment.optional().describe('Visited at this time or later.'),
  until: Moment.optional().describe('Visited before this time.'),
  parser: z
    .string()
    .trim()
    .regex(/^[\w.-]+(@[\w.-]+)?$/)
    .optional()
    .describe('Pages whose product this parser read; "name@version" for one version of it.'),
  limit: z.coerce.number().int().min(1).max(10_000_000).default(100_000),
  dry_run: z.boolean().default(false).describe('Only count.'),
});

export const ReplayResult = z.object({
  dry_run: z.boolean(),
  pages: z.number().int().describe('Pages that are read again, or would be.'),
  domains: z.array(z.object({ domain: z.string(), pages: z.number().int() })),
});

/**
 * Reads stored responses again, with the extractor and parsers of today: no page is fetched. Each page's newest task goes
 * back to the frontier of its own crawl, so it is read with the options it was crawled with.
 */
export async function replay(app: App, input: z.output<typeof ReplayInput>): Promise<z.output<typeof ReplayResult>> {
  const [now] = await app.database.query<{ now: Date }>('SELECT now() AS now');
  const [parser, parserVersion] = input.parser?.split('@') ?? [];
  const filter: ReplayFilter = {
    domain: input.domain === undefined ? undefined : toDomainName(input.domain),
    since: input.since,
    until: input.until,
    parser,
    parserVersion,
    endedBefore: now!.now,
  };
  const domains = await countReplay(app.database, filter);
  const matching = domains.reduce((sum, { pages }) => sum + pages, 0);
  if (input.dry_run) return { dry_run: true, pages: Math.min(matching, input.limit), domains };

  let pages = 0;
  while (pages < input.limit) {
    const taken = pages;
    const moved = await moveTasks(app, (tx) => replayTasks(tx, filter, Math.min(BATCH, input.limit - taken)));
    if (moved === 0) break;
    pages += moved;
  }
  return { dry_run: false, pages, domains };
}
