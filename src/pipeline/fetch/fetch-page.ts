import type { ClaimedTask } from '../../db/frontier.ts';
import { AppError, toAppError } from '../../errors.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { Fetcher, FetchResponse } from '../../ports/fetcher.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import type { Turn } from '../frontier/turn.ts';
import { judgeResponse } from './judge-response.ts';
import type { RobotsPolicy } from './robots-policy.ts';
import { parseUrl } from './url.ts';

export interface FetchDeps {
  fetcher: Fetcher;
  browser: Fetcher;
  robots: RobotsPolicy;
  blobs: Blobs;
  userAgent: string;
  /** Takes a place in a domain's row of turns and waits for it: for redirects and second requests. */
  takeTurn(domain: string, proxyId: string | null): Promise<void>;
  /** robots.txt asks for a longer delay than the turn was made for: keeps it from now on, and says how long it is. */
  slowDown(domain: string, crawlDelayMs: number): Promise<number>;
}

export interface PageBody {
  url: string;
  status: number;
  contentType: string | undefined;
  etag: string | undefined;
  lastModified: string | undefined;
  /** The X-Robots-Tag field as sent. */
  robotsTag: string | undefined;
  body: Uint8Array;
  latencyMs: number;
  totalMs: number;
  /** True when the bytes came from what was stored before, without a request. */
  reused: boolean;
}

export type FetchedPage =
  | { kind: 'body'; page: PageBody }
  | { kind: 'not_modified'; latencyMs: number }
  | { kind: 'turn_over' };

/**
 * Brings a task's page, in this order: what is stored already → robots → the domain's turn → the guarded client (which
 * judges every address and every redirect hop) → the status. Whatever forbids the page rejects with its code.
 */
export async function fetchPage(
  deps: FetchDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: Turn,
): Promise<FetchedPage> {
  const stored = await readStored(deps.blobs, task, crawl);
  if (stored !== undefined) return { kind: 'body', page: stored };
  const options = crawl.row.options;
  const obeysRobots = options.respect_robots_txt !== false;
  const crawlDelayMs = obeysRobots ? await checkRobots(deps.robots, task.url, task.user_agent) : 0;
  if (crawlDelayMs > task.delay_ms && (await deps.slowDown(task.domain, crawlDelayMs)) > task.delay_ms)
    return { kind: 'turn_over' };
  const fetcher = options.render === 'always' ? deps.browser : deps.fetcher;
  const send = (notAfter: number | undefined) =>
    fetcher.fetch({
      url: task.url,
      ...(notAfter === undefined ? {} : { notAfter }),
      headers: {
        'user-agent': task.user_agent ?? deps.userAgent,
        ...conditionalHeaders(task, crawl),
        ...options.headers,
      },
      ...(task.proxy === null ? {} : { proxy: task.proxy }),
      ...(options.page_timeout_ms === undefined ? {} : { timeoutMs: options.page_timeout_ms }),
      ...(options.max_page_size_mb === undefined
        ? {}
        : { maxBytes: Math.round(options.max_page_size_mb * 1024 * 1024) }),
      ...(options.max_redirects === undefined ? {} : { maxRedirects: options.max_redirects }),
      onRedirect: async (_from, to) => {
        const target = parseUrl(to);
        if (!target.ok) throw new AppError('REDIRECT_INVALID', `the site redirects to ${to}: ${target.reason}`);
        if (obeysRobots) await checkRobots(deps.robots, target.url, task.user_agent);
        await deps.takeTurn(target.domain, target.domain === task.domain ? task.proxy_id : null);
      },
    });
  const response = await turn.take(send).catch((error: unknown) => {
    if (toAppError(error).code === 'TURN_OVER') return undefined;
    throw error;
  });
  if (response === undefined) return { kind: 'turn_over' };
  judgeResponse(response);
  if (response.status === 304) return { kind: 'not_modified', latencyMs: response.timings.firstByteMs };
  return { kind: 'body', page: toBody(response) };
}

/** The page once more, with its scripts run. */
export async function renderPage(deps: FetchDeps, task: ClaimedTask, crawl: CrawlContext): Promise<PageBody> {
  await deps.takeTurn(task.domain, task.proxy_id);
  const timeout = crawl.row.options.page_timeout_ms;
  const response = await deps.browser.fetch({
    url: task.url,
    headers: { 'user-agent': task.user_agent ?? deps.userAgent, ...crawl.row.options.headers },
    ...(task.proxy === null ? {} : { proxy: task.proxy }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  });
  judgeResponse(response);
  return toBody(response);
}

/** The delay robots.txt asks for, 0 when it asks for none; rejects when it forbids the address or cannot be read. */
async function checkRobots(robots: RobotsPolicy, url: string, userAgent: string | null): Promise<number> {
  const verdict = await robots.check(url, userAgent ?? undefined);
  if (verdict.allowed) return verdict.crawlDelayMs ?? 0;
  if (verdict.code === 'ROBOTS_DISALLOWED') throw new AppError('ROBOTS_DISALLOWED', `robots.txt forbids ${url}`);
  throw new AppError('ROBOTS_UNAVAILABLE', `robots.txt of ${new URL(url).origin} cannot be read`, {
    retryAfterMs: verdict.retryAfterMs ?? 60_000,
  });
}

/** A parse-only task reads its own response; a crawl that allows an age takes any crawl's. */
async function readStored(blobs: Blobs, task: ClaimedTask, crawl: CrawlContext): Promise<PageBody | undefined> {
  const maxAgeMs = (crawl.row.options.max_age_s ?? 0) * 1_000;
  const fresh = task.page_age_ms !== null && task.page_age_ms <= maxAgeMs && maxAgeMs > 0;
  const own = task.parse_only && task.raw_ref !== null;
  const reference = own ? task.raw_ref : task.parse_only || fresh ? task.page_raw_ref : null;
  const meta = own ? task.raw_meta : task.page_raw_meta;
  const body = reference === null ? undefined : await blobs.get(reference);
  if (body === undefined) {
    if (task.parse_only) throw new AppError('RAW_MISSING', 'the stored response of this page is gone');
    return undefined;
  }
  return {
    url: meta?.url ?? task.url,
    status: Number(meta?.status ?? 200),
    contentType: meta?.content_type,
    etag: undefined,
    lastModified: undefined,
    robotsTag: meta?.robots_tag,
    body,
    latencyMs: 0,
    totalMs: 0,
    reused: true,
  };
}

/** Only a page whose bytes we still hold may be asked for conditionally. */
function conditionalHeaders(task: ClaimedTask, crawl: CrawlContext): Record<string, string> {
  if (task.page_raw_ref === null || crawl.row.options.render === 'always') return {};
  return {
    ...(task.etag === null ? {} : { 'if-none-match': task.etag }),
    ...(task.last_modified === null ? {} : { 'if-modified-since': task.last_modified }),
  };
}

function toBody(response: FetchResponse): PageBody {
  return {
    url: response.url,
    status: response.status,
    contentType: response.headers['content-type'],
    etag: response.headers.etag,
    lastModified: response.headers['last-modified'],
    robotsTag: response.headers['x-robots-tag'],
    body: response.body,
    latencyMs: response.timings.firstByteMs,
    totalMs: response.timings.totalMs,
    reused: false,
  };
}
