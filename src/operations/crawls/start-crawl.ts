import { z } from 'zod';
import type { App } from '../../app.ts';
import type { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import { addHold, countOpenCrawls, getCrawlRow, insertCrawl } from '../../db/crawls/crawls.ts';
import { ensureTags } from '../../db/documents/document-tags.ts';
import { findBlockedDomains } from '../../db/domains/domains.ts';
import { insertJob } from '../../db/jobs/jobs.ts';
import { findCollection } from '../../db/organise/collections.ts';
import { findCrawlConfig } from '../../db/organise/crawl-configs.ts';
import type { StoredHeaders } from '../../db/stored-headers.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { blockedError } from '../../pipeline/fetch/blocked-error.ts';
import { seedCandidate } from '../../pipeline/frontier/admit-links.ts';
import { admissionRules, admitTasks, ensureDomainIds } from '../../pipeline/frontier/admit-tasks.ts';
import { announceChanges } from '../../pipeline/frontier/announce.ts';
import type { Transaction } from '../../ports/database.ts';
import { parseUrl } from '../../web/url.ts';
import { type Binding, chooseCollection } from '../access/binding.ts';
import { findHolders, requireQuota } from '../access/quotas.ts';
import { found } from '../found.ts';
import type { OtherNames } from '../other-names.ts';
import { Id, Moment, Priority } from '../schemas.ts';
import {
  CrawlWebhookInput,
  type GivenWebhook,
  insertWebhookOfCrawl,
  readCrawlWebhook,
} from '../webhooks/crawl-webhook.ts';
import { checkChunkSize } from './check-chunk-size.ts';
import { checkMaxPages } from './check-max-pages.ts';
import { Crawl, CrawlStatus, toCrawl } from './crawl.ts';
import { CrawlOptionsInput, splitHeaders } from './crawl-headers.ts';

const Shared = {
  config_id: Id.optional().describe('A stored config; what the request says itself wins over it.'),
  collection_id: Id.optional(),
  tags: z.array(z.string().trim().toLowerCase().min(1).max(100)).max(50).optional(),
  priority: Priority.optional(),
  ...CrawlWebhookInput,
  options: CrawlOptionsInput.optional(),
  scheduled_at: Moment.optional().describe('Nothing is fetched before this time.'),
};

const CONFIG: OtherNames = { crawl_config_id: 'config_id' };

const GivenUrl = z.union([
  z.string().min(1),
  z.strictObject({ url: z.string().min(1), priority: Priority.optional().describe('Instead of the crawl’s.') }),
]);
type GivenUrl = z.output<typeof GivenUrl>;

export const StartCrawlInput = z
  .strictObject({ urls: z.array(GivenUrl).min(1).max(1_000), ...Shared })
  .meta({ id: 'CrawlRequest', otherNames: CONFIG });

export const StartBatchInput = z
  .strictObject({ urls: z.array(GivenUrl).min(1).max(100), ...Shared })
  .meta({ id: 'BatchCrawlRequest', otherNames: CONFIG });

export const StartDeepCrawlInput = z
  .strictObject({
    url: z.string().min(1),
    strategy: z.enum(['bfs', 'dfs', 'best_first']).optional(),
    max_depth: z.number().int().min(0).max(100).optional(),
    max_pages: z.number().int().min(1).optional().describe('Absent: 100. More than the settings allow is refused.'),
    score_threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('For best_first: links that score less are left out. Absent: 0.4 with keywords, 0 without.'),
    keywords: z.array(z.string().max(200)).max(50).optional(),
    ...Shared,
  })
  .meta({ id: 'DeepCrawlRequest', otherNames: { ...CONFIG, root_url: 'url' } satisfies OtherNames });

const DEFAULT_PAGES = 100;
/** A rate of nearly nothing is a page a day. */
const MAX_PACE_MS = 86_400_000;
/** What has none of the keywords scores less. */
const DEFAULT_THRESHOLD = 0.4;

export interface CrawlPlan extends GivenWebhook {
  kind: 'urls' | 'batch' | 'deep' | 'source';
  urls: readonly GivenUrl[];
  scheduled_at?: Date | undefined;
  config_id?: string | undefined;
  collection_id?: string | undefined;
  source_id?: string | undefined;
  tags?: readonly string[] | undefined;
  priority?: number | undefined;
  options?: CrawlOptionsInput | undefined;
  /** Sealed already: those of a source. */
  headers?: StoredHeaders | undefined;
  /** How deep the addresses count as; absent: 0. */
  depth?: number | undefined;
  score_threshold?: number | undefined;
  keywords?: readonly string[] | undefined;
  created_by?: string | undefined;
  /** The person it counts for, where created_by does not lead there. */
  user_id?: string | null | undefined;
  /** The collections its caller is bound to: it fills one of them, and changes nothing outside. */
  within?: Binding;
  /** Runs first in the transaction that makes the crawl; a rejection makes none. */
  before?: ((tx: Transaction, crawlId: string) => Promise<void>) | undefined;
}

/** One or more URLs, each fetched once: no links are followed. */
export const startCrawl = (
  app: App,
  input: z.output<typeof StartCrawlInput>,
  createdBy?: string,
  within?: Binding,
): Promise<Crawl> => planCrawl(app, { ...input, kind: 'urls', created_by: createdBy, within });

export const BatchCrawl = Crawl.extend({
  total_submitted: z.number().int().describe('Addresses that were taken.'),
  failed_count: z.number().int().describe('Addresses that were not.'),
  refused: z.array(z.object({ url: z.string(), code: z.string(), reason: z.string() })),
  jobs: z.array(z.object({ job_id: Id, status: CrawlStatus })).describe('The crawl, as a list of one.'),
}).meta({ id: 'BatchCrawl' });

/** As many addresses as can be taken; the others are named, each with its reason. None at all is an error. */
export async function startBatch(
  app: App,
  input: z.output<typeof StartBatchInput>,
  createdBy?: string,
  within?: Binding,
): Promise<z.output<typeof BatchCrawl>> {
  const taken: GivenUrl[] = [];
  const failures: { url: string; error: AppError }[] = [];
  for (const given of input.urls) {
    const url = typeof given === 'string' ? given : given.url;
    try {
      await refuseBlocked(app, [checkUrl(app, given).domain]);
      taken.push(given);
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
      failures.push({ url: url.slice(0, 2_048), error: thrown });
    }
  }
  const refused = failures.map(({ url, error: { code, message } }) => ({ url, code, reason: message }));
  const [first] = failures;
  if (taken.length === 0 && first !== undefined)
    throw new AppError(first.error.code, 'none of these addresses can be crawled', { details: { refused } });
  const crawl = await planCrawl(app, { ...input, urls: taken, kind: 'batch', created_by: createdBy, within });
  const jobs = [{ job_id: crawl.id, status: crawl.status }];
  return { ...crawl, total_submitted: taken.length, failed_count: refused.length, refused, jobs };
}

/** A walk through a site from one URL. */
export function startDeepCrawl(
  app: App,
  input: z.output<typeof StartDeepCrawlInput>,
  createdBy?: string,
  within?: Binding,
): Promise<Crawl> {
  const { url, strategy, max_depth, max_pages, ...rest } = input;
  const given = { strategy, max_depth, max_pages };
  return planCrawl(app, {
    ...rest,
    kind: 'deep',
    urls: [url],
    options: {
      ...rest.options,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    },
    created_by: createdBy,
    within,
  });
}

/** Checks every address before anything is written, then makes the crawl and its first tasks in one transaction. */
export async function planCrawl(app: App, plan: CrawlPlan): Promise<Crawl> {
  const { database, settings } = app;
  const seeds = [...new Map(plan.urls.map((url) => checkUrl(app, url)).map((seed) => [seed.url, seed])).values()];
  const webhook = readCrawlWebhook(app, plan);
  if (plan.kind !== 'source') checkChunkSize(app, plan.options ?? {});
  // A config may hold headers that open doors: it is for callers who may see configs.
  const mayUse = plan.config_id !== undefined && plan.within === undefined;
  const config = mayUse ? await findCrawlConfig(database, plan.config_id!) : undefined;
  if (plan.config_id !== undefined && config === undefined)
    throw new AppError('NOT_FOUND', `there is no config ${plan.config_id}`);
  const collectionId = chooseCollection(plan.within, plan.collection_id) ?? undefined;
  if (collectionId !== undefined) found(await findCollection(database, collectionId), 'collection', collectionId);
  const given = splitHeaders(
    app.secrets,
    plan.options ?? {},
    seeds.map(({ url }) => url),
  );
  const { crawlTtlS } = settings.cache;
  const options: CrawlOptions = {
    ...(crawlTtlS > 0 ? { max_age_s: crawlTtlS } : {}),
    ...config?.options,
    ...given.options,
  };
  const headers = { ...config?.headers, ...plan.headers, ...given.headers };
  const deep = plan.kind === 'deep' || plan.kind === 'source';
  const strategy = options.strategy ?? 'bfs';
  const maxDepth = options.max_depth ?? (deep ? 2 : 0);
  if (maxDepth > 0) await checkDeepCrawl(app, plan.kind);
  if (maxDepth > 0) checkMaxPages(app, options);
  const most = settings.features.maxPagesPerDeepCrawl || DEFAULT_PAGES;
  const maxPages = maxDepth === 0 ? 0 : (options.max_pages ?? Math.min(DEFAULT_PAGES, most));
  const keywords = [...(plan.keywords ?? [])];
  const threshold = strategy === 'best_first' && keywords.length > 0 ? DEFAULT_THRESHOLD : 0;
  const domainIds = await ensureDomainIds(
    database,
    seeds.map(({ domain }) => domain),
  );
  await refuseBlockedIds(app, [...domainIds.values()]);
  const tags = [...(plan.tags ?? [])];
  await ensureTags(
    database,
    tags.map((name) => ({ id: newId(), name })),
  );
  const id = newId();
  const priority = plan.priority ?? 5;
  const createdBy = plan.created_by ?? 'api';
  const mostPages = Math.max(seeds.length, maxPages);
  const first = await database.transaction(async (tx) => {
    const holders = await findHolders(tx, { createdBy, userId: plan.user_id });
    await requireQuota(app, tx, holders, { crawls: 1, pages: mostPages });
    await plan.before?.(tx, id);
    await insertCrawl(tx, {
      id,
      kind: plan.kind,
      urls: seeds.map(({ url }) => url),
      strategy,
      max_depth: maxDepth,
      max_pages: mostPages,
      pace_ms: options.rate_limit_rps ? Math.min(MAX_PACE_MS, Math.ceil(1_000 / options.rate_limit_rps)) : 0,
      priority,
      keywords,
      score_threshold: plan.score_threshold ?? threshold,
      options,
      headers,
      tags,
      source_id: plan.source_id ?? null,
      crawl_config_id: plan.config_id ?? null,
      collection_id: collectionId ?? null,
      created_by: createdBy,
      user_id: holders.find(({ kind }) => kind === 'user')?.id ?? null,
      is_bound: plan.within !== undefined,
    });
    if (webhook !== undefined) await insertWebhookOfCrawl(tx, id, webhook);
    const row = (await getCrawlRow(tx, id))!;
    const candidates = seeds.map((seed) => seedCandidate(seed, strategy, plan.depth ?? 0, seed.priority));
    const entry = { crawl: { row }, candidates, createdBy: row.created_by, scheduledAt: plan.scheduled_at };
    const { admitted } = await admitTasks(tx, [entry], domainIds, admissionRules(settings));
    if (options.use_sitemap === true) {
      await addHold(tx, id);
      await insertJob(tx, { id: newId(), kind: 'seed-sitemaps', payload: { crawl_id: id }, priority });
    }
    return admitted;
  });
  await announceChanges(app, { waiting: first, crawls: [id] });
  return toCrawl((await getCrawlRow(database, id))!);
}

async function refuseBlocked(app: App, domains: readonly string[]): Promise<void> {
  await refuseBlockedIds(app, [...(await ensureDomainIds(app.database, domains)).values()]);
}

async function refuseBlockedIds({ database }: App, ids: readonly string[]): Promise<void> {
  const [blocked] = await findBlockedDomains(database, ids);
  if (blocked !== undefined) throw blockedError(blocked);
}

/** Walks can be turned off, or kept to a number at a time. A schedule is not: it waits for its own last crawl. */
async function checkDeepCrawl({ database, settings }: App, kind: CrawlPlan['kind']): Promise<void> {
  const { enableDeepCrawl, maxConcurrentDeepCrawls } = settings.features;
  if (!enableDeepCrawl)
    throw new AppError('FORBIDDEN', 'following links is turned off', { hint: 'Set FEATURES__ENABLE_DEEP_CRAWL=true.' });
  if (maxConcurrentDeepCrawls === 0 || kind !== 'deep') return;
  const open = await countOpenCrawls(database, 'deep');
  if (open >= maxConcurrentDeepCrawls)
    throw new AppError('RATE_LIMITED', `${open} walks are under way, and no more are allowed at a time`, {
      hint: 'Wait for one to end, or raise FEATURES__MAX_CONCURRENT_DEEP_CRAWLS.',
    });
}

function checkUrl(app: App, given: GivenUrl) {
  const { url: input, priority } = typeof given === 'string' ? { url: given, priority: undefined } : given;
  const parsed = parseUrl(input);
  if (!parsed.ok)
    throw new AppError(parsed.code, `"${input.slice(0, 200)}" cannot be crawled: ${parsed.reason}`, {
      details: { url: input.slice(0, 500) },
    });
  const verdict = app.guard.checkUrl(new URL(parsed.url));
  if (!verdict.allowed)
    throw new AppError('URL_BLOCKED', `"${input.slice(0, 200)}" is refused: ${verdict.reason}`, {
      details: { url: parsed.url },
    });
  return { ...parsed, priority };
}
