import { z } from 'zod';
import { getCrawlRow, notifyCrawls, releaseHold } from '../db/crawls/crawls.ts';
import { ensureDomains } from '../db/domains/domains.ts';
import { crawlDelta, insertTasks, lockCrawls, type NewTask, updateCrawls } from '../db/frontier/admit-tasks.ts';
import { toAppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { siteAccess } from '../operations/media/site-access.ts';
import { discoverUrls } from '../pipeline/discover/discover-urls.ts';
import { rankOf } from '../pipeline/frontier/rank.ts';
import { createScope, inScope } from '../pipeline/frontier/scope.ts';
import { wakeDomains } from '../pipeline/frontier/wake-domains.ts';
import { hashUrl, parseUrl } from '../web/url.ts';
import type { Job, JobContext } from './job.ts';

const Payload = z.object({ crawl_id: z.uuid() });
const BATCH = 500;

/**
 * Adds the addresses of a site's sitemaps to a crawl. The crawl does not end before this has; a site without sitemaps, or
 * with broken ones, is crawled by its links alone.
 */
export const seedSitemapsJob: Job = {
  kind: 'seed-sitemaps',
  async run(context, payload) {
    const { crawl_id } = Payload.parse(payload);
    const { database } = context.app;
    try {
      return await seed(context, crawl_id);
    } catch (error) {
      context.signal.throwIfAborted();
      return { added: 0, error: toAppError(error).message };
    } finally {
      if (!context.signal.aborted) {
        await database.transaction(async (tx) => {
          await releaseHold(tx, crawl_id);
          await updateCrawls(tx, [crawlDelta(crawl_id)]);
        });
        await notifyCrawls(database, [crawl_id]);
      }
    }
  },
};

async function seed({ app, signal, progress }: JobContext, crawlId: string): Promise<{ added: number }> {
  const crawl = await getCrawlRow(app.database, crawlId);
  if (crawl === undefined || crawl.max_depth === 0) return { added: 0 };
  const seeds = crawl.urls.map((url) => parseUrl(url)).filter((each) => each.ok);
  const scope = createScope(seeds, crawl.options);
  const access = siteAccess(app);
  let added = 0;
  for (const { origin } of seeds) {
    const run = discoverUrls(
      {
        fetcher: app.fetcher,
        userAgent: app.settings.userAgent,
        commonCrawlUrl: app.settings.discover.commonCrawlUrl,
        delayMs: 0,
        admit: access.admit,
        robots: (each) => access.robots.rules(each),
        timeoutMs: app.settings.job.timeoutS * 1_000,
        signal,
      },
      {
        site: origin,
        sources: ['sitemap'],
        maxUrls: Math.min(crawl.max_pages, app.settings.discover.maxUrls),
        scoreThreshold: 0,
      },
    );
    let batch: string[] = [];
    const flush = async () => {
      added += await admit(app.database, crawlId, batch);
      batch = [];
      await progress({ added });
    };
    for await (const { url } of run) {
      const parsed = parseUrl(url);
      if (parsed.ok && inScope(scope, parsed)) batch.push(parsed.url);
      if (batch.length >= BATCH) await flush();
    }
    await flush();
  }
  return { added };

  async function admit(database: typeof app.database, id: string, urls: readonly string[]): Promise<number> {
    const places = urls.map((url) => parseUrl(url)).filter((place) => place.ok);
    const names = [...new Set(places.map(({ domain }) => domain))];
    const domains = new Map(
      (
        await ensureDomains(
          database,
          names.map((domain) => ({ id: newId(), domain })),
        )
      ).map((row) => [row.domain, row.id]),
    );
    const admitted = await database.transaction(async (tx) => {
      const rooms = await lockCrawls(tx, [id]);
      const status = rooms[0]?.status;
      if (status === undefined || status === 'cancelled' || places.length === 0) return [];
      const tasks = places.map(
        ({ url, domain }): NewTask => ({
          id: newId(),
          crawl_id: id,
          domain_id: domains.get(domain)!,
          parent_id: null,
          url,
          url_hash: hashUrl(url).toString('hex'),
          depth: 1,
          rank: rankOf(crawl!.strategy, 1, 0.5),
          priority: crawl!.priority,
          score: null,
          is_recurring: crawl!.options.recurring === true,
          interval_s: crawl!.options.interval_s ?? null,
          visit: 0,
          delay_ms: 0,
          max_retries: crawl!.options.max_retries ?? app.settings.job.maxRetries,
          created_by: 'sitemap',
          status: status === 'paused' ? 'paused' : 'pending',
        }),
      );
      const { admitted: rows } = await insertTasks(tx, tasks, rooms);
      await updateCrawls(tx, [crawlDelta(id, { discovered: rows.length })]);
      return rows;
    });
    await wakeDomains(app, admitted);
    return admitted.length;
  }
}
