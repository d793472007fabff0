import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import { openHeaders } from '../../db/stored-headers.ts';
import { AppError, toAppError } from '../../errors.ts';
import type { Slot } from '../../gate.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { Browser, PageRequest } from '../../ports/browser.ts';
import type { Fetcher, FetchResponse } from '../../ports/fetcher.ts';
import type { Secrets } from '../../secrets.ts';
import { toHeaderBlock } from '../../web/header-block.ts';
import { readCanonicalLink } from '../../web/link-header.ts';
import { parseUrl } from '../../web/url.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import { judgeResponse } from './judge-response.ts';
import type { HomeTurn, PoliteClient, VisitOptions, Way } from './polite-client.ts';

export interface FetchDeps {
  polite: PoliteClient;
  fetcher: Fetcher;
  browser: Browser;
  blobs: Blobs;
  secrets: Secrets;
  userAgent: string;
  /** Longest time a page may take, and longest wait for another domain's turn, unless the crawl says otherwise. */
  pageTimeoutMs: number;
}

/** A task's part in the turn it was claimed with. */
export interface TaskTurn extends HomeTurn {
  /** The page's request leaves now. */
  sent(): void;
}

export interface PageBody {
  url: string;
  status: number;
  contentType: string | undefined;
  etag: string | undefined;
  lastModified: string | undefined;
  /** The X-Robots-Tag field as sent. */
  robotsTag: string | undefined;
  /** What the Link field names as the canonical address, as written. */
  canonicalLink: string | undefined;
  /** Its header fields as they are kept: see web/header-block.ts. Absent where an older version stored it. */
  headerBlock?: string | undefined;
  /** The address that answered. */
  ip?: string | undefined;
  /** The name it was asked under. */
  userAgent?: string | undefined;
  /** When the answer came, ISO 8601. Absent where an older version stored it. */
  fetchedAt?: string | undefined;
  /** It was read from an archive: the visit is as old as that. */
  imported?: boolean;
  body: Uint8Array;
  /** Absent when a redirect led to another domain: it says nothing about this one. */
  latencyMs?: number;
  totalMs: number;
  /** The blob the bytes were read from. */
  rawRef?: string;
  /** True when they were stored by an earlier visit: nothing new is known of the page. */
  reused: boolean;
  /** Whether the requested address redirects to this one permanently (301 and 308 only). */
  moved: boolean;
  /** Whether a request was sent to the site; also true when it answered 304. */
  asked: boolean;
}

export type FetchedPage =
  | { kind: 'body'; page: PageBody }
  | { kind: 'not_modified'; url: string; latencyMs: number }
  | { kind: 'turn_over' };

/**
 * Fetches a task's page, in this order: what is stored already → the policies of the polite client, with the task's turn at
 * its own domain → the guarded client → the status. Whatever forbids the page rejects with its code; `failure` then says
 * where it happened, and `elsewhere` when it was not the task's own domain that refused or failed.
 */
export async function fetchPage(
  deps: FetchDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: TaskTurn,
  slot: Slot,
): Promise<FetchedPage> {
  const stored = await readStored(deps.blobs, task, crawl);
  if (stored !== undefined) return { kind: 'body', page: stored };
  const { options } = crawl.row;
  const fetcher = options.render === 'always' ? deps.browser : deps.fetcher;
  try {
    const response = await deps.polite.visit(task.url, visitOptions(deps, task, crawl, turn), (way) => {
      const request = toRequest(deps, task, crawl, way, conditionalHeaders(task, crawl));
      return expectUsable(fetcher.fetch({ ...request, beforeLarge: () => slot.take() }));
    });
    if (response.status !== 304) return { kind: 'body', page: toBody(deps, response, task) };
    // The page was not kept at its last visit; the reason is checked again on its full content.
    const before =
      task.page_code === null ? undefined : await readBlob(deps.blobs, task, task.page_raw_ref, task.page_raw_meta);
    if (before !== undefined)
      return {
        kind: 'body',
        page: { ...before, asked: true, imported: false, latencyMs: response.timings.firstByteMs },
      };
    return { kind: 'not_modified', url: response.url, latencyMs: response.timings.firstByteMs };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'TURN_OVER') return { kind: 'turn_over' };
    throw error;
  }
}

/** The page once more, with its scripts run. Its turn is over by then: it takes a place like any other request. */
export async function renderPage(
  deps: FetchDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: TaskTurn,
): Promise<PageBody> {
  const home = { ...turn, turn: undefined };
  const response = await deps.polite.visit(task.url, visitOptions(deps, task, crawl, home), (way) =>
    expectUsable(deps.browser.fetch(toRequest(deps, task, crawl, way))),
  );
  return toBody(deps, response, task);
}

/** As part of the visit, so that the error of a bad answer names where it came from. */
async function expectUsable(answer: Promise<FetchResponse>): Promise<FetchResponse> {
  const response = await answer;
  judgeResponse(response);
  return response;
}

const timeoutOf = (deps: FetchDeps, { row }: CrawlContext) => row.options.page_timeout_ms ?? deps.pageTimeoutMs;

const visitOptions = (deps: FetchDeps, task: ClaimedTask, crawl: CrawlContext, home: TaskTurn): VisitOptions => ({
  robots: crawl.row.options.respect_robots_txt !== false,
  userAgent: task.user_agent ?? undefined,
  deadlineAt: performance.now() + timeoutOf(deps, crawl),
  home,
  onStart: () => home.sent(),
});

function toRequest(
  deps: FetchDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  way: Way,
  headers: Record<string, string> = {},
): PageRequest {
  const { max_page_size_mb, max_redirects, wait_for } = crawl.row.options;
  const own = openHeaders(deps.secrets, crawl.row.headers, task.url);
  return {
    ...way,
    url: task.url,
    headers: { 'user-agent': task.user_agent ?? deps.userAgent, ...headers, ...own },
    timeoutMs: timeoutOf(deps, crawl),
    ...(max_page_size_mb === undefined ? {} : { maxBytes: Math.round(max_page_size_mb * 1024 * 1024) }),
    ...(max_redirects === undefined ? {} : { maxRedirects: max_redirects }),
    ...(wait_for === undefined ? {} : { waitFor: wait_for }),
  };
}

/** A parse-only task reads its own response; a crawl that allows an age takes any crawl's. */
async function readStored(blobs: Blobs, task: ClaimedTask, crawl: CrawlContext): Promise<PageBody | undefined> {
  const maxAgeMs = (crawl.row.options.max_age_s ?? 0) * 1_000;
  const { row } = crawl;
  // An answer that came after the task was due is as good as its own, unless the crawl has its own headers or rendering.
  const asksAlike = row.options.render !== 'always' && Object.keys(row.headers).length === 0;
  const fresh =
    !isPrivate(task) &&
    ((task.page_age_ms !== null && task.page_age_ms <= maxAgeMs && maxAgeMs > 0) ||
      (task.page_answers === true && asksAlike));
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

/** The stored response was given to a crawl's own headers: it is for no other crawl. */
const isPrivate = (task: ClaimedTask) => task.page_raw_meta?.private !== undefined;

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
    canonicalLink: meta?.canonical_link,
    ...toKept({ ...(known ? task.page_raw_meta : {}), ...meta }),
    body,
    rawRef: reference!,
    totalMs: 0,
    reused: true,
    moved: false,
    asked: false,
  };
}

/** What goes on to the next copy of it unread. */
const toKept = (meta: Record<string, string>) => ({
  headerBlock: meta.headers,
  ip: meta.ip,
  userAgent: meta.user_agent,
  fetchedAt: meta.fetched_at,
  imported: meta.imported === 'true',
});

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
  canonicalLink: meta.canonical_link,
  ...toKept(meta),
  body,
  rawRef: reference,
  totalMs: Number(meta.total_ms ?? 0),
  reused: false,
  moved: meta.moved === 'true',
  asked: true,
});

/** Only a page whose bytes are still stored may be requested conditionally. */
function conditionalHeaders(task: ClaimedTask, crawl: CrawlContext): Record<string, string> {
  if (task.page_raw_ref === null || isPrivate(task) || crawl.row.options.render === 'always') return {};
  return {
    ...(task.etag === null ? {} : { 'if-none-match': task.etag }),
    ...(task.last_modified === null ? {} : { 'if-modified-since': task.last_modified }),
  };
}

function toBody(deps: FetchDeps, response: FetchResponse, task: ClaimedTask): PageBody {
  const answered = parseUrl(response.url);
  return {
    url: response.url,
    status: response.status,
    contentType: response.headers['content-type'],
    etag: response.headers.etag,
    lastModified: response.headers['last-modified'],
    robotsTag: response.headers['x-robots-tag'],
    canonicalLink: readCanonicalLink(response.headers.link),
    headerBlock: toHeaderBlock(response.headers),
    ip: response.remoteAddress,
    userAgent: task.user_agent ?? deps.userAgent,
    fetchedAt: new Date().toISOString(),
    body: response.body,
    ...(answered.ok && answered.domain === task.domain ? { latencyMs: response.timings.firstByteMs } : {}),
    totalMs: response.timings.totalMs,
    reused: false,
    moved: response.redirects.length > 0 && response.redirects.every(({ status }) => status === 301 || status === 308),
    asked: true,
  };
}
