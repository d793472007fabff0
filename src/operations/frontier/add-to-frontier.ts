import { z } from 'zod';
import type { App } from '../../app.ts';
import { type CrawlRow, getCrawlRow, notifyCrawls } from '../../db/crawls/crawls.ts';
import { ensureDomains, findBlockedDomains } from '../../db/domains/domains.ts';
import { crawlDelta, insertTasks, lockCrawls, type NewTask, updateCrawls } from '../../db/frontier/admit-tasks.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { blockedError } from '../../pipeline/fetch/blocked-error.ts';
import { rankOf } from '../../pipeline/frontier/rank.ts';
import { wakeDomains } from '../../pipeline/frontier/wake-domains.ts';
import { hashUrl, parseUrl } from '../../web/url.ts';
import { Crawl } from '../crawls/crawl.ts';
import { getCrawl } from '../crawls/get-crawl.ts';
import { planCrawl } from '../crawls/start-crawl.ts';
import { found } from '../found.ts';
import { Id, Priority } from '../schemas.ts';

export const AddToFrontierInput = z.strictObject({
  urls: z.array(z.string().min(1)).min(1).max(1_000),
  crawl_id: Id.optional().describe('An open crawl these belong to; absent: a new one.'),
  priority: Priority.optional(),
  depth: z.number().int().min(0).max(100).default(0).describe('How deep they count as; links are followed from there.'),
});

export const FrontierAnswer = z
  .object({
    crawl: Crawl,
    added: z.number().int(),
    refused: z.array(z.object({ url: z.string(), code: z.string(), reason: z.string() })),
  })
  .meta({ id: 'FrontierAnswer' });
type Answer = z.output<typeof FrontierAnswer>;

/** Adds addresses to an open crawl, or as a crawl of their own. What cannot be taken is said, each with its reason. */
export async function addToFrontier(
  app: App,
  input: z.output<typeof AddToFrontierInput>,
  createdBy: string,
): Promise<Answer> {
  const { urls, refused } = sort(app, input.urls);
  if (urls.length === 0)
    throw new AppError('URL_INVALID', 'none of these addresses can be crawled', { details: { refused } });
  if (input.crawl_id === undefined) {
    const plan = { kind: 'urls' as const, urls, options: { max_depth: 0 }, created_by: createdBy };
    const crawl = await planCrawl(app, { ...plan, priority: input.priority });
    return { crawl, added: crawl.pages_discovered, refused };
  }
  const row = found(await getCrawlRow(app.database, input.crawl_id), 'crawl', input.crawl_id);
  const { added, beyond } = await admit(app, row, urls, input, createdBy);
  for (const url of beyond) refused.push({ url, code: 'PAGE_LIMIT', reason: `the crawl takes ${row.max_pages} pages` });
  return { crawl: await getCrawl(app, row.id), added, refused };
}

function sort(app: App, given: readonly string[]): { urls: string[]; refused: Answer['refused'] } {
  const urls = new Set<string>();
  const refused: Answer['refused'] = [];
  for (const url of given) {
    const parsed = parseUrl(url);
    const verdict = parsed.ok ? app.guard.checkUrl(new URL(parsed.url)) : undefined;
    if (!parsed.ok) refused.push({ url, code: parsed.code, reason: parsed.reason });
    else if (verdict?.allowed === false) refused.push({ url, code: 'URL_BLOCKED', reason: verdict.reason });
    else urls.add(parsed.url);
  }
  return { urls: [...urls], refused };
}

async function admit(
  app: App,
  crawl: CrawlRow,
  urls: readonly string[],
  input: z.output<typeof AddToFrontierInput>,
  createdBy: string,
): Promise<{ added: number; beyond: string[] }> {
  const { database, settings } = app;
  const places = urls.map((url) => parseUrl(url)).filter((place) => place.ok);
  const names = [...new Set(places.map(({ domain }) => domain))];
  const rows = await ensureDomains(
    database,
    names.map((domain) => ({ id: newId(), domain })),
  );
  const domainIds = new Map(rows.map((row) => [row.domain, row.id]));
  const [blocked] = await findBlockedDomains(database, [...domainIds.values()]);
  if (blocked !== undefined) throw blockedError(blocked);
  const { admitted, beyond } = await database.transaction(async (tx) => {
    const rooms = await lockCrawls(tx, [crawl.id]);
    const status = rooms[0]?.status ?? '';
    if (!['pending', 'running', 'paused'].includes(status))
      throw new AppError('STATE_CONFLICT', `the crawl is ${status}`, {
        hint: 'Leave crawl_id out to start a new one.',
      });
    const tasks = places.map(
      ({ url, domain }): NewTask => ({
        id: newId(),
        crawl_id: crawl.id,
        domain_id: domainIds.get(domain)!,
        parent_id: null,
        url,
        url_hash: hashUrl(url).toString('hex'),
        depth: input.depth,
        rank: rankOf(crawl.strategy, input.depth, 1),
        priority: input.priority ?? crawl.priority,
        score: null,
        is_recurring: crawl.options.recurring === true,
        interval_s: crawl.options.interval_s ?? null,
        visit: 0,
        delay_ms: 0,
        max_retries: crawl.options.max_retries ?? settings.job.maxRetries,
        created_by: createdBy,
        ...(status === 'paused' ? { status: 'paused' as const } : {}),
      }),
    );
    const { admitted, beyond } = await insertTasks(tx, tasks, rooms);
    await updateCrawls(tx, [crawlDelta(crawl.id, { discovered: admitted.length })]);
    return { admitted, beyond: tasks.filter(({ id }) => beyond.includes(id)).map(({ url }) => url) };
  });
  await wakeDomains(app, admitted);
  await notifyCrawls(database, [crawl.id]);
  return { added: admitted.length, beyond };
}
