import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import { toProxyAddress } from '../../db/proxies/proxy-address.ts';
import { openHeaders } from '../../db/stored-headers.ts';
import { AppError, addFailure, toAppError } from '../../errors.ts';
import type { Room } from '../../gate.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { Browser, PageRequest } from '../../ports/browser.ts';
import type { Fetcher, FetchResponse } from '../../ports/fetcher.ts';
import type { Secrets } from '../../secrets.ts';
import { parseUrl } from '../../web/url.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import { blockedError } from './blocked-error.ts';
import { judgeResponse } from './judge-response.ts';
import type { Way } from './proxy-turn.ts';
import type { RobotsPolicy } from './robots-policy.ts';
import type { Turn } from './turn.ts';

export interface FetchDeps {
  fetcher: Fetcher;
  browser: Browser;
  robots: RobotsPolicy;
  blobs: Blobs;
  secrets: Secrets;
  userAgent: string;
  /** Whether the domain was blocked after its tasks were claimed. */
  isClosed(domainId: string): boolean;
  /** Keeps the domain from giving turns until the task is stored: its page was answered, and is asked for once more. */
  askAgain(task: ClaimedTask): Promise<void>;
  /** Takes a further place in the row of turns a task was claimed from, and waits for it. */
  takeTurn(domain: string, proxyId: string | null): Promise<void>;
  /** The same in another domain's row: for redirects. Says which way to go; rejects when the domain is closed to us. */
  enterDomain(domain: string): Promise<Way>;
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
  /** Absent when a redirect led to another domain: it says nothing about this one. */
  latencyMs?: number;
  totalMs: number;
  /** The blob the bytes were read from. */
  rawRef?: string;
  /** True when they were stored by an earlier visit: nothing new is known of the page. */
  reused: boolean;
  /** Whether the address that was asked for leads to this one for good (301 and 308 only). */
  moved: boolean;
  /** Whether the site was asked for it: also when it answered that what is stored still holds. */
  asked: boolean;
}

export type FetchedPage =
  | { kind: 'body'; page: PageBody }
  | { kind: 'not_modified'; url: string; latencyMs: number }
  | { kind: 'turn_over' };

/** Where a task's request has got to: redirects lead it to domains whose answers are not those of its own. */
interface Place {
  domain: string;
  /** Undefined until the domain was entered. */
  domainId: string | undefined;
  proxyId: string | null;
}

/**
 * Brings a task's page, in this order: what is stored already → robots → the domain's turn → the guarded client (which
 * judges every address and every redirect hop) → the status. Whatever forbids the page rejects with its code; `failure`
 * then holds the proxy it went through, and `elsewhere` when it was not the task's own domain that refused or failed.
 */
export async function fetchPage(
  deps: FetchDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: Turn,
  room: Room,
): Promise<FetchedPage> {
  const stored = await readStored(deps.blobs, task, crawl);
  if (stored !== undefined) return { kind: 'body', page: stored };
  const { options } = crawl.row;
  const crawlDelayMs = obeysRobots(crawl) ? await checkRobots(deps.robots, task.url, task.user_agent) : 0;
  if (crawlDelayMs > task.delay_ms && (await deps.slowDown(task.domain, crawlDelayMs)) > task.delay_ms)
    return { kind: 'turn_over' };
  const place = startOf(task);
  const request = toRequest(deps, task, crawl, place, turn);
  request.headers = {
    ...request.headers,
    ...conditionalHeaders(task, crawl),
    ...openHeaders(deps.secrets, crawl.row.headers, task.url),
  };
  request.beforeLarge = () => room.take();
  const fetcher = options.render === 'always' ? deps.browser : deps.fetcher;
  try {
    const response = await turn.take(async (notAfter) => {
      if (deps.isClosed(task.domain_id)) return undefined;
      return fetcher.fetch(notAfter === undefined ? request : { ...request, notAfter });
    });
    if (response === undefined) return { kind: 'turn_over' };
    judgeResponse(response);
    if (response.status !== 304) return { kind: 'body', page: toBody(response, task, place) };
    // A page that was not kept then may be kept now, or has to say again why not.
    const before =
      task.page_code === null ? undefined : await readBlob(deps.blobs, task, task.page_raw_ref, task.page_raw_meta);
    if (before !== undefined)
      return { kind: 'body', page: { ...before, asked: true, latencyMs: response.timings.firstByteMs } };
    return { kind: 'not_modified', url: response.url, latencyMs: response.timings.firstByteMs };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'TURN_OVER') return { kind: 'turn_over' };
    throw locate(error, task, place);
  }
}

/** The page once more, with its scripts run. */
export async function renderPage(
  deps: FetchDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: Turn,
): Promise<PageBody> {
  const { proxyId, ...way } = await enterAgain(deps, task);
  if (deps.isClosed(task.domain_id)) throw closedError(task);
  const place = { ...startOf(task), proxyId };
  const request = { ...toRequest(deps, task, crawl, place), ...way };
  try {
    const response = await deps.browser
      .fetch({ ...request, headers: { ...request.headers, ...openHeaders(deps.secrets, crawl.row.headers, task.url) } })
      .finally(() => turn.noteAnswer());
    judgeResponse(response);
    return toBody(response, task, place);
  } catch (thrown) {
    throw locate(toAppError(thrown), task, place);
  }
}

/** A further place for a task; one that was taken over has no turn yet, nor a proxy. */
async function enterAgain(deps: FetchDeps, task: ClaimedTask): Promise<{ proxyId: string | null; proxy?: string }> {
  if (task.turn_end === '-infinity') {
    const { proxyId, proxy } = await deps.enterDomain(task.domain);
    return { proxyId, ...(proxy !== null && { proxy }) };
  }
  await deps.askAgain(task);
  await deps.takeTurn(task.domain, task.proxy_id);
  return { proxyId: task.proxy_id };
}

const obeysRobots = (crawl: CrawlContext) => crawl.row.options.respect_robots_txt !== false;

const closedError = ({ domain }: ClaimedTask) => blockedError({ domain, blocked_reason: null });

const startOf = (task: ClaimedTask): Place => ({
  domain: task.domain,
  domainId: task.domain_id,
  proxyId: task.proxy_id,
});

/** `place` follows the request from hop to hop. `turn`: the one it is sent in; without, each hop has a place of its own. */
function toRequest(deps: FetchDeps, task: ClaimedTask, crawl: CrawlContext, place: Place, turn?: Turn): PageRequest {
  const proxy = task.proxy === null ? null : toProxyAddress(task.proxy, deps.secrets);
  const { page_timeout_ms, max_page_size_mb, max_redirects, wait_for } = crawl.row.options;
  return {
    url: task.url,
    headers: { 'user-agent': task.user_agent ?? deps.userAgent },
    ...(proxy === null ? {} : { proxy }),
    ...(page_timeout_ms === undefined ? {} : { timeoutMs: page_timeout_ms }),
    ...(max_page_size_mb === undefined ? {} : { maxBytes: Math.round(max_page_size_mb * 1024 * 1024) }),
    ...(max_redirects === undefined ? {} : { maxRedirects: max_redirects }),
    ...(wait_for === undefined ? {} : { waitFor: wait_for }),
    onRedirect: async (_from, to) => {
      const target = parseUrl(to);
      if (!target.ok) throw new AppError('REDIRECT_INVALID', `the site redirects to ${to}: ${target.reason}`);
      const home = target.domain === task.domain;
      Object.assign(place, home ? startOf(task) : { domain: target.domain, domainId: undefined, proxyId: null });
      if (obeysRobots(crawl)) await checkRobots(deps.robots, target.url, task.user_agent);
      if (home) {
        if (!(await turn?.takeHop())) await deps.takeTurn(task.domain, task.proxy_id);
        if (deps.isClosed(task.domain_id)) throw closedError(task);
        return { proxy };
      }
      const way = await deps.enterDomain(target.domain);
      Object.assign(place, { domainId: way.domainId, proxyId: way.proxyId });
      return way;
    },
  };
}

/** Whose fault it was: another domain's failure must not count against the task's own, nor another proxy's. */
function locate(error: AppError, task: ClaimedTask, { domain, domainId, proxyId }: Place): AppError {
  if (domain === task.domain) return error;
  return addFailure(error, { proxyId, ...error.failure, elsewhere: true, domainId });
}

/** The delay robots.txt asks for, 0 when it asks for none; rejects when it forbids the address or cannot be read. */
async function checkRobots(robots: RobotsPolicy, url: string, userAgent: string | null): Promise<number> {
  const verdict = await robots.check(url, userAgent ?? undefined);
  if (verdict.allowed) return verdict.crawlDelayMs ?? 0;
  if (verdict.code === 'ROBOTS_DISALLOWED') throw new AppError('ROBOTS_DISALLOWED', `robots.txt forbids ${url}`);
  throw new AppError('ROBOTS_UNAVAILABLE', verdict.reason, { retryAfterMs: verdict.retryAfterMs ?? 60_000 });
}

/** A parse-only task reads its own response; a crawl that allows an age takes any crawl's. */
async function readStored(blobs: Blobs, task: ClaimedTask, crawl: CrawlContext): Promise<PageBody | undefined> {
  const maxAgeMs = (crawl.row.options.max_age_s ?? 0) * 1_000;
  const fresh = task.page_age_ms !== null && task.page_age_ms <= maxAgeMs && maxAgeMs > 0;
  const own = task.parse_only && task.raw_ref !== null;
  const page = own
    ? await readBlob(blobs, task, task.raw_ref, task.raw_meta)
    : task.parse_only || fresh
      ? await readBlob(blobs, task, task.page_raw_ref, task.page_raw_meta)
      : undefined;
  if (page === undefined && task.parse_only)
    throw new AppError('RAW_MISSING', 'the stored response of this page is gone');
  return page;
}

async function readBlob(
  blobs: Blobs,
  task: ClaimedTask,
  reference: string | null,
  meta: Record<string, string> | null,
): Promise<PageBody | undefined> {
  const body = reference === null ? undefined : await blobs.get(reference);
  if (body === undefined) return undefined;
  const known = reference === task.page_raw_ref;
  if (meta?.downloaded === 'true') return handedOver(task, reference!, meta, body);
  return {
    url: meta?.url ?? task.url,
    status: Number(meta?.status ?? 200),
    contentType: meta?.content_type,
    etag: (known && task.etag) || undefined,
    lastModified: (known && task.last_modified) || undefined,
    robotsTag: meta?.robots_tag,
    body,
    rawRef: reference!,
    totalMs: 0,
    reused: true,
    moved: false,
    asked: false,
  };
}

/** A page that a fetcher stored for this visit: all there is to know of it is kept beside its bytes. */
const handedOver = (
  task: ClaimedTask,
  reference: string,
  meta: Record<string, string>,
  body: Uint8Array,
): PageBody => ({
  url: meta.url ?? task.url,
  status: Number(meta.status ?? 200),
  contentType: meta.content_type,
  etag: meta.etag,
  lastModified: meta.last_modified,
  robotsTag: meta.robots_tag,
  body,
  rawRef: reference,
  totalMs: Number(meta.total_ms ?? 0),
  reused: false,
  moved: meta.moved === 'true',
  asked: true,
});

/** Only a page whose bytes we still hold may be asked for conditionally. */
function conditionalHeaders(task: ClaimedTask, crawl: CrawlContext): Record<string, string> {
  if (task.page_raw_ref === null || crawl.row.options.render === 'always') return {};
  return {
    ...(task.etag === null ? {} : { 'if-none-match': task.etag }),
    ...(task.last_modified === null ? {} : { 'if-modified-since': task.last_modified }),
  };
}

function toBody(response: FetchResponse, task: ClaimedTask, place: Place): PageBody {
  return {
    url: response.url,
    status: response.status,
    contentType: response.headers['content-type'],
    etag: response.headers.etag,
    lastModified: response.headers['last-modified'],
    robotsTag: response.headers['x-robots-tag'],
    body: response.body,
    ...(place.domain === task.domain ? { latencyMs: response.timings.firstByteMs } : {}),
    totalMs: response.timings.totalMs,
    reused: false,
    moved: response.redirects.length > 0 && response.redirects.every(({ status }) => status === 301 || status === 308),
    asked: true,
  };
}
