import { z } from 'zod';
import type { App } from '../app.ts';
import { getCrawlRow, releaseHold } from '../db/crawls/crawls.ts';
import { crawlDelta, settleCrawls } from '../db/crawls/settle-crawls.ts';
import { wakeReaders } from '../db/events/wake-readers.ts';
import { AppError, toAppError } from '../errors.ts';
import { politeClient } from '../operations/polite-client.ts';
import { discoverUrls } from '../pipeline/discover/discover-urls.ts';
import type { DiscoverProblem } from '../pipeline/discover/types.ts';
import { type Admission, admitLinks } from '../pipeline/frontier/admit-links.ts';
import { admissionRules, admitTasks, ensureDomainIds } from '../pipeline/frontier/admit-tasks.ts';
import { announceChanges } from '../pipeline/frontier/announce.ts';
import { type CrawlContext, toContext } from '../pipeline/frontier/crawl-context.ts';
import { refuse } from '../pipeline/frontier/refusals.ts';
import { TrapGuard } from '../pipeline/frontier/traps.ts';
import { parseUrl } from '../web/url.ts';
import type { Job, JobContext } from './job.ts';

const Payload = z.object({ crawl_id: z.uuid() });
const BATCH = 500;

/**
 * Adds the addresses of a site's sitemaps to a crawl. The crawl does not end before this has; a site without sitemaps, or
 * with broken ones, is crawled by its links alone. One that may not be asked now (its maintenance window, an open circuit) is
 * asked again when it may.
 */
export const seedSitemapsJob: Job = {
  kind: 'seed-sitemaps',
  async run(context, payload) {
    const { crawl_id } = Payload.parse(payload);
    const { signal, lastAttempt } = context;
    const outcome = await seed(context, crawl_id).catch((error: unknown) => toAppError(error));
    const timedOut = signal.aborted && toAppError(signal.reason).code === 'TIMEOUT';
    const runsAgain = outcome instanceof AppError && isWaiting(outcome) && !lastAttempt;
    // After a time-out nothing else releases the crawl.
    if (timedOut || (!signal.aborted && !runsAgain)) await release(context.app, crawl_id);
    signal.throwIfAborted();
    if (!(outcome instanceof AppError)) return outcome;
    if (runsAgain) throw outcome;
    return { added: 0, error: outcome.message };
  },
};

const isWaiting = (error: AppError) => error.retryable && error.has('held_off');

async function release(app: App, crawlId: string): Promise<void> {
  await app.database.transaction(async (tx) => {
    await releaseHold(tx, crawlId);
    await settleCrawls(tx, [crawlDelta(crawlId)]);
  });
  await wakeReaders(app.pubsub);
}

async function seed({ app, signal, timeoutMs, progress }: JobContext, crawlId: string): Promise<{ added: number }> {
  const row = await getCrawlRow(app.database, crawlId);
  if (row === undefined || row.max_depth === 0) return { added: 0 };
  const crawl = toContext(row);
  const traps = new TrapGuard(app.settings.frontier);
  // A sitemap is no page: what limits it is how many addresses of a site are looked at.
  const limits = { ...app.settings.frontier, maxLinksPerPage: BATCH };
  let added = 0;
  for (const seedUrl of row.urls) {
    const site = parseUrl(seedUrl);
    if (!site.ok) continue;
    const run = discoverUrls(
      {
        polite: politeClient(app),
        fetcher: app.fetcher,
        userAgent: app.settings.userAgent,
        commonCrawlUrl: app.settings.discover.commonCrawlUrl,
        timeoutMs: timeoutMs * 0.95,
        signal,
      },
      {
        site: site.origin,
        sources: ['sitemap'],
        maxUrls: Math.min(row.max_pages, app.settings.discover.maxUrls),
        scoreThreshold: 0,
      },
    );
    let batch: string[] = [];
    for (let step = await run.next(); ; step = await run.next()) {
      if (step.done !== true) batch.push(step.value.url);
      if (step.done !== true && batch.length < BATCH) continue;
      const links = batch.map((url) => ({ url, text: '', rel: '' }));
      const admission = admitLinks(links, { crawl, depth: 1, parentId: null }, traps, limits);
      if (step.done === true)
        refuse(admission.refused, 'LINK_LIMIT', step.value.beyond.samples, step.value.beyond.count);
      added += await admit(app, crawl, admission);
      batch = [];
      await progress({ added });
      if (step.done !== true) continue;
      if (step.value.examined === 0) throwIfWaiting(step.value.problems);
      break;
    }
  }
  return { added };
}

/** Nothing was read because the site may not be asked now: that is no answer yet. */
function throwIfWaiting(problems: readonly DiscoverProblem[]): void {
  for (const { code, message, retryAfterMs } of problems) {
    const error = new AppError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs });
    if (isWaiting(error)) throw error;
  }
}

async function admit(app: App, crawl: CrawlContext, { candidates, refused }: Admission): Promise<number> {
  const domainIds = await ensureDomainIds(
    app.database,
    candidates.map(({ domain }) => domain),
  );
  const entry = { crawl, candidates, refused, createdBy: 'sitemap' };
  const { admitted } = await app.database.transaction((tx) =>
    admitTasks(tx, [entry], domainIds, admissionRules(app.settings)),
  );
  for (const { url } of candidates) crawl.seen.add(url);
  await announceChanges(app, { waiting: admitted, crawls: [crawl.row.id] });
  return admitted.length;
}
