import type { ClaimedTask } from '../db/frontier/frontier.ts';
import { loadLinks } from '../db/pages/pages.ts';
import { AppError, toAppError } from '../errors.ts';
import type { Room } from '../gate.ts';
import type { Sql } from '../ports/database.ts';
import { hashUrl, parseUrl } from '../web/url.ts';
import type { ExtractPool } from './extract/pool.ts';
import type { Link, ReadPage } from './extract/types.ts';
import { type FetchDeps, fetchPage, type PageBody, renderPage } from './fetch/fetch-page.ts';
import { retryDelay } from './fetch/retry.ts';
import { readRobotsTag } from './fetch/robots-tag.ts';
import type { Turn } from './fetch/turn.ts';
import { type Admission, admitLinks } from './frontier/admit.ts';
import type { CrawlContext } from './frontier/crawl-context.ts';
import type { TrapGuard } from './frontier/traps.ts';
import { goneByFailure, goneByPage } from './gone.ts';
import type { PageOutcome } from './outcome.ts';

/**
 * One task from claim to outcome:
 *
 *   frontier (claim, turn) → fetch (robots, guard, request) → extract (threads) → frontier (admit links) → store
 *
 * `store` writes the outcome, `index` picks the document up from the outbox, `search` answers from the index; discovery
 * feeds the frontier from sitemaps and feeds. Nothing here writes: an outcome is plain data.
 */
export interface PipelineDeps extends FetchDeps {
  sql: Sql;
  /** Runs the reading of a page; the worker notes meanwhile which page it is, where that may matter. */
  watch<T>(task: ClaimedTask, body: Uint8Array, read: () => Promise<T>): Promise<T>;
  extractor: ExtractPool;
  traps: TrapGuard;
  limits: { maxDepth: number; maxLinksPerPage: number; maxUrlLength: number };
  /** Between attempts, and between the rounds of the dead-letter list. */
  retry: { delaysMs: readonly number[]; deadLetterMs: readonly number[] };
  languages: readonly string[];
  boilerplateOf(domainId: string): readonly string[] | undefined;
}

/**
 * Undefined: the page could not be asked for in this turn of its domain; the task goes back as it was. A large page
 * takes `room`, which the caller leaves when he is done with the outcome.
 */
export async function runTask(
  deps: PipelineDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: Turn,
  room: Room,
): Promise<PageOutcome | undefined> {
  try {
    const fetched = await fetchPage(deps, task, crawl, turn, room);
    if (fetched.kind === 'turn_over') return undefined;
    if (fetched.kind === 'not_modified') return await keepPage(deps, task, crawl, fetched);
    return await readPage(deps, task, crawl, turn, fetched.page);
  } catch (thrown) {
    const error = toAppError(thrown);
    // Its domain was blocked after the claim: what waits, waits.
    if (error.code === 'DOMAIN_BLOCKED' && error.details?.domain === task.domain) return undefined;
    return failTask(deps, task, crawl, error);
  }
}

async function readPage(
  deps: PipelineDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: Turn,
  fetched: PageBody,
): Promise<PageOutcome> {
  let body = fetched;
  let extracted = await extract(deps, task, crawl, body);
  if (extracted.needsScripts && !body.reused && (crawl.row.options.render ?? 'auto') === 'auto') {
    const rendered = await renderPage(deps, task, crawl, turn).catch((error: unknown) => {
      if (toAppError(error).code === 'BROWSER_MISSING') return undefined;
      throw error;
    });
    if (rendered !== undefined) {
      body = rendered;
      extracted = await extract(deps, task, crawl, body);
    }
  }
  const asked = readRobotsTag(body.robotsTag, task.user_agent ?? deps.userAgent);
  if (asked.noindex) extracted.metadata.noindex = true;
  if (asked.nofollow) extracted.metadata.nofollow = true;
  // Kept with each link: a page that has not changed sends no header and no markup again.
  const languages = crawl.row.options.languages ?? deps.languages;
  const found = withAlternates(extracted, languages);
  const links = extracted.metadata.nofollow === true ? found.map(unfollowed) : found;
  const refusal = refusalOf(extracted, languages);
  const admission = admit(deps, task, crawl, links);
  const noindex = refusal?.code === 'NOINDEX';
  const final = parseUrl(body.url);
  const finalUrl = final.ok ? final.url : task.url;
  return {
    ...admission,
    task,
    crawl,
    result: {
      status: refusal === undefined ? 'completed' : 'skipped',
      code: refusal?.code ?? null,
      message: refusal?.message ?? null,
      http_status: body.status,
      response_ms: Math.round(body.totalMs),
      raw_meta: {
        url: body.url,
        status: String(body.status),
        ...(body.contentType === undefined ? {} : { content_type: body.contentType }),
        ...(body.robotsTag === undefined ? {} : { robots_tag: body.robotsTag }),
      },
      delay_ms: 0,
      failed: 0,
    },
    ...(body.reused ? {} : { raw: body.body }),
    page: {
      url: task.url,
      url_hash: task.url_hash.toString('hex'),
      domain_id: task.domain_id,
      status: 'fetched',
      http_status: body.status,
      final_url: finalUrl === task.url ? null : finalUrl,
      content_type: body.contentType ?? null,
      content_length: body.body.length,
      title: extracted.title || null,
      description: extracted.metadata.description ?? null,
      language: extracted.language ?? null,
      content_hash: extracted.contentHash,
      simhash: extracted.simhash,
      etag: body.etag ?? null,
      last_modified: body.lastModified ?? null,
      links_count: extracted.links.length,
      error_code: refusal?.code ?? null,
      fetch_ms: Math.round(body.totalMs),
      has_body: true,
      visited: body.asked,
    },
    links,
    ...(refusal === undefined
      ? { document: toDocument(task, crawl, extracted, finalUrl, final.ok ? final.domain : task.domain, body) }
      : {}),
    ...goneByPage(task.url, body, noindex),
    ...(extracted.product === undefined || noindex ? {} : { product: extracted.product }),
    ...(extracted.shadowProduct === undefined || noindex ? {} : { shadowProduct: extracted.shadowProduct }),
    parsed: true,
    blocks: extracted.blocks,
    feedback: !body.asked ? {} : { ok: true, ...(body.latencyMs === undefined ? {} : { latencyMs: body.latencyMs }) },
  };
}

function extract(deps: PipelineDeps, task: ClaimedTask, crawl: CrawlContext, body: PageBody): Promise<ReadPage> {
  const options = crawl.row.options;
  const boilerplate = deps.boilerplateOf(task.domain_id);
  return deps.watch(task, body.body, () =>
    deps.extractor.extract(
      { url: body.url, contentType: body.contentType, body: body.body },
      {
        ...(options.only_main_content === undefined ? {} : { onlyMainContent: options.only_main_content }),
        ...(options.include_selectors === undefined ? {} : { includeSelectors: options.include_selectors }),
        ...(options.exclude_selectors === undefined ? {} : { excludeSelectors: options.exclude_selectors }),
        ...(options.products === undefined ? {} : { products: options.products }),
        ...(boilerplate === undefined ? {} : { boilerplate }),
        ...(task.parser === null ? {} : { parser: task.parser }),
        ...(task.shadow_parser === null ? {} : { shadowParser: task.shadow_parser }),
      },
    ),
  );
}

function toDocument(
  task: ClaimedTask,
  crawl: CrawlContext,
  extracted: ReadPage,
  url: string,
  domain: string,
  body: PageBody,
): PageOutcome['document'] {
  const { row } = crawl;
  const { chunking_strategy, chunk_size, chunk_overlap, min_chunk_size } = row.options;
  return {
    url,
    url_hash: url === task.url ? task.url_hash.toString('hex') : hashUrl(url).toString('hex'),
    domain,
    parent_url: null,
    title: extracted.title || null,
    content: extracted.markdown,
    content_hash: extracted.contentHash,
    language: extracted.language ?? null,
    content_type: body.contentType?.split(';')[0]?.trim().toLowerCase() || 'text/html',
    kind: extracted.kind,
    source: 'crawl',
    collection_id: row.collection_id,
    source_id: row.source_id,
    metadata: extracted.metadata,
    chunking: {
      ...(chunking_strategy === undefined ? {} : { strategy: chunking_strategy }),
      ...(chunk_size === undefined ? {} : { size: chunk_size }),
      ...(chunk_overlap === undefined ? {} : { overlap: chunk_overlap }),
      ...(min_chunk_size === undefined ? {} : { min: min_chunk_size }),
    },
    priority: task.priority,
  };
}

/** Why a page that was read is not kept as a document. */
function refusalOf(page: ReadPage, languages: readonly string[]): AppError | undefined {
  if (page.metadata.noindex === true) return new AppError('NOINDEX', 'the page asks not to be indexed');
  if (page.language !== undefined && page.language !== 'und' && !isKept(page.language, languages))
    return new AppError(
      'LANGUAGE_SKIPPED',
      `the page is in ${page.language}, which is not among the languages to keep`,
    );
  if (!page.hasText) return new AppError('CONTENT_EMPTY', 'the page holds no text');
  return undefined;
}

const isKept = (language: string, languages: readonly string[]) =>
  languages.includes('*') || languages.includes(language.toLowerCase().split('-')[0]!);

/** The same page in other languages, where those are kept, is linked from its head alone (hreflang). */
function withAlternates({ links, metadata }: ReadPage, languages: readonly string[]): Link[] {
  const others = (metadata.alternates ?? []).filter(
    ({ language }) => language === 'x-default' || isKept(language, languages),
  );
  return others.length === 0 ? links : [...links, ...others.map(({ url }) => ({ url, text: '', rel: 'alternate' }))];
}

function admit(deps: PipelineDeps, task: ClaimedTask, crawl: CrawlContext, links: readonly Link[]): Admission {
  return admitLinks(links, { crawl, taskId: task.id, depth: task.depth }, deps.traps, deps.limits);
}

const unfollowed = (link: Link): Link =>
  /\bnofollow\b/.test(link.rel) ? link : { ...link, rel: `${link.rel} nofollow`.trim() };

/** 304: a visit without news. The links the page had are followed as if it had been read again. */
async function keepPage(
  deps: PipelineDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  { url, latencyMs }: { url: string; latencyMs: number },
): Promise<PageOutcome> {
  const final = parseUrl(url);
  const links = crawl.row.max_depth === 0 ? [] : await loadLinks(deps.sql, task.url_hash);
  return {
    ...admit(deps, task, crawl, links),
    task,
    crawl,
    result: {
      status: 'completed',
      code: null,
      message: null,
      http_status: 304,
      response_ms: Math.round(latencyMs),
      raw_meta: null,
      delay_ms: 0,
      failed: 0,
    },
    page: emptyPage(task, { status: 'fetched', http_status: 304, error_code: null }),
    unchanged: hashUrl(final.ok ? final.url : task.url).toString('hex'),
    feedback: { ok: true, latencyMs },
  };
}

/** Attempts of a task beyond which even a failing proxy counts against it. */
const MAX_PROXY_ATTEMPTS = 20;
const SKIPS = new Set([
  'ROBOTS_DISALLOWED',
  'DOMAIN_BLOCKED',
  'CONTENT_TYPE_UNSUPPORTED',
  'URL_BLOCKED',
  'CONTENT_EMPTY',
]);
const SITE_FAULTS = new Set(['DNS_FAILED', 'CONNECT_FAILED', 'CONNECTION_RESET', 'TLS_FAILED', 'TIMEOUT', 'HTTP_5XX']);

function failTask(deps: PipelineDeps, task: ClaimedTask, crawl: CrawlContext, error: AppError): PageOutcome {
  const delay = retryDelay(error, task.failures, { maxRetries: task.max_retries, delaysMs: deps.retry.delaysMs });
  const status = delay !== undefined ? 'pending' : SKIPS.has(error.code) ? 'skipped' : 'failed';
  const retryMs = status === 'failed' && error.retryable ? deps.retry.deadLetterMs[task.dlq_retries] : undefined;
  const httpStatus = typeof error.details?.status === 'number' ? error.details.status : null;
  const slow = error.code === 'HTTP_429' || httpStatus === 503;
  const proxyId = error.code !== 'PROXY_FAILED' ? null : ((error.details?.proxyId as string) ?? task.proxy_id);
  const domainId = error.details?.domainId as string | undefined;
  return {
    task,
    crawl,
    candidates: [],
    refused: {},
    result: {
      status,
      code: error.code,
      message: error.message,
      http_status: httpStatus,
      response_ms: null,
      raw_meta: null,
      delay_ms: delay ?? 0,
      failed: status === 'skipped' || isProxyTrouble(error, task) ? 0 : 1,
      ...(retryMs === undefined ? {} : { retry_ms: retryMs * (1 + Math.random() / 4) }),
    },
    page: emptyPage(task, {
      status: status === 'skipped' ? 'blocked' : 'failed',
      http_status: httpStatus,
      error_code: error.code,
    }),
    ...(status === 'failed' ? goneByFailure(task.url, error) : {}),
    error,
    feedback: {
      ...(domainId === undefined ? {} : { domainId }),
      ...(SITE_FAULTS.has(error.code) && (error.details?.elsewhere !== true || domainId !== undefined)
        ? { ok: false }
        : {}),
      ...(slow ? { slowDown: true, pauseMs: error.retryAfterMs ?? 0 } : {}),
      ...(proxyId === null ? {} : { failedProxy: proxyId }),
    },
  };
}

/** Not the page's fault: it waits for another proxy as long as there may be one. */
function isProxyTrouble({ code }: AppError, task: ClaimedTask): boolean {
  return (code === 'PROXY_FAILED' || code === 'PROXY_UNAVAILABLE') && task.attempt <= MAX_PROXY_ATTEMPTS;
}

function emptyPage(
  task: ClaimedTask,
  known: { status: 'fetched' | 'failed' | 'blocked'; http_status: number | null; error_code: string | null },
): PageOutcome['page'] {
  return {
    ...known,
    url: task.url,
    url_hash: task.url_hash.toString('hex'),
    domain_id: task.domain_id,
    final_url: null,
    content_type: null,
    content_length: null,
    title: null,
    description: null,
    language: null,
    content_hash: null,
    simhash: null,
    etag: null,
    last_modified: null,
    links_count: 0,
    fetch_ms: null,
    has_body: false,
    visited: true,
  };
}
