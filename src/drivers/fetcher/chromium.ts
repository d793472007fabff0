import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import { createGate } from '../../gate.ts';
import type { Browser, PageRequest } from '../../ports/browser.ts';
import type { FetchResponse } from '../../ports/fetcher.ts';
import { createFilterProxy, type FilterProxy, type ProxySession } from '../../web/filter-proxy.ts';
import type { Guard } from '../../web/guard.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { mapBrowserError } from './chromium-errors.ts';
import { type LoadedPage, loadPage } from './chromium-page.ts';
import { type ChromiumProcess, createChromiumProcess, type Lease, within } from './chromium-process.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { createDialer } from './dial.ts';
import { cacheResolve, createResolve, type Resolve } from './dns.ts';
import { dialThroughProxy } from './proxy.ts';

export interface ChromiumFetcherOptions {
  guard: Guard;
  settings: Pick<Settings, 'browser' | 'fetch' | 'userAgent'>;
  /** Replaces the name servers, for tests. */
  resolve?: Resolve;
}

const CLOSE_MS = 3_000;
/** A page may bring in this many times the size of a document, with all it loads. */
const PAGE_FACTOR = 5;

/** Pages through a Chromium of this machine, at most `browser.maxPages` at a time; each in a profile of its own. */
export function createChromiumFetcher({ guard, settings, resolve }: ChromiumFetcherOptions): Browser {
  const gate = createGate(Math.max(1, settings.browser.maxPages));
  let engine: Promise<{ proxy: FilterProxy; chromium: ChromiumProcess }> | undefined;
  let disposed = false;

  const start = () => {
    engine ??= createProxy({ guard, settings, ...(resolve !== undefined && { resolve }) }).then((proxy) => ({
      proxy,
      chromium: createChromiumProcess(settings.browser, proxy.url),
    }));
    return engine;
  };

  async function withPage<T>(request: PageRequest, work: (page: LoadedPage) => Promise<T>): Promise<T> {
    const target = URL.parse(request.url);
    if (target === null) throw new AppError('URL_INVALID', `${request.url} cannot be read`);
    const verdict = guard.checkUrl(target);
    if (!verdict.allowed) throw new AppError('URL_BLOCKED', `${target.origin}: ${verdict.reason}`);
    if (disposed) throw new AppError('CANCELLED', 'the browser is shut down');

    const deadline = createDeadline(request.url, request.timeoutMs ?? settings.browser.timeoutMs, request.signal);
    const { failed } = deadline;
    let leave: (() => void) | undefined;
    try {
      leave = await obtain(gate.enter(), failed, (late) => late());
      const { proxy, chromium } = await Promise.race([start(), failed]);
      const lease = await obtain(chromium.acquire(), failed, (late) => late.release());
      const onDeath = () => deadline.fail(new AppError('RENDER_FAILED', 'the browser ended'));
      lease.browser.once('disconnected', onDeath);
      try {
        return await inContext(proxy, lease, withoutWaits(request, deadline), deadline, work);
      } finally {
        lease.browser.off('disconnected', onDeath);
        lease.release();
      }
    } catch (error) {
      throw deadline.failure ?? mapBrowserError(error, request.url);
    } finally {
      deadline.end();
      leave?.();
    }
  }

  async function inContext<T>(
    proxy: FilterProxy,
    lease: Lease,
    request: PageRequest,
    { failed, fail }: Deadline,
    work: (page: LoadedPage) => Promise<T>,
  ): Promise<T> {
    const maxBytes = request.maxBytes ?? settings.fetch.maxBytes;
    const maxRedirects = request.maxRedirects ?? settings.fetch.maxRedirects;
    using session = proxy.openSession({
      maxBytes: maxBytes * PAGE_FACTOR,
      ...(request.proxy !== undefined && { upstream: request.proxy }),
    });
    const creating = lease.browser.newContext(contextOptions(request, proxy.url, session, settings.userAgent));
    const context = await obtain(creating, failed, (late) => late.close());
    try {
      const page = await loadPage(context, { request, guard, session, maxBytes, maxRedirects, failed, fail });
      return await Promise.race([work(page), failed]);
    } finally {
      // A renderer that is lost in a loop goes with its context; a browser that does not even answer that, goes.
      if (!(await within(CLOSE_MS, context.close()))) lease.kill();
    }
  }

  async function askBrowser(): Promise<{ version: string; detail: string }> {
    const lease = await (await start()).chromium.acquire();
    try {
      return { version: lease.browser.version(), detail: lease.account };
    } finally {
      lease.release();
    }
  }

  const browser: Bare<Browser> = {
    async fetch(request) {
      if (request.method !== undefined && request.method !== 'GET')
        throw new AppError('VALIDATION_FAILED', 'a browser only fetches with GET');
      const startedAt = performance.now();
      return withPage(request, async (page) => toResponse(page, startedAt));
    },
    open: (request, work) =>
      withPage(request, (page) => {
        if (page.bytes === undefined) return work(page);
        throw new AppError('CONTENT_TYPE_UNSUPPORTED', `${page.url} is ${page.headers['content-type']}, not a page`);
      }),
    async [Symbol.asyncDispose]() {
      disposed = true;
      const started = await engine?.catch(() => undefined);
      await started?.chromium[Symbol.asyncDispose]();
      await started?.proxy[Symbol.asyncDispose]();
    },
  };
  return asEngine('chromium', browser, askBrowser);
}

/** Waiting for a site's turn before a hop is not the page's time. */
const withoutWaits = ({ onRedirect, ...request }: PageRequest, deadline: Deadline): PageRequest =>
  onRedirect === undefined
    ? request
    : { ...request, onRedirect: (from, to) => deadline.hold(() => onRedirect(from, to)) };

function createProxy({ guard, settings, resolve = createResolve() }: ChromiumFetcherOptions): Promise<FilterProxy> {
  const { connectTimeoutMs, dnsTtlS } = settings.fetch;
  const dialer = createDialer({ guard, resolve: cacheResolve(resolve, dnsTtlS * 1000), connectTimeoutMs });
  return createFilterProxy({
    guard,
    async connect(host, port, upstream) {
      if (upstream === undefined) return dialer.dial(host, port);
      const [address] = await dialer.judge(host, port);
      return dialThroughProxy(
        new URL(upstream),
        { address: address!, port },
        { dialer, guard, timeoutMs: connectTimeoutMs },
      );
    },
  });
}

const contextOptions = (request: PageRequest, server: string, session: ProxySession, userAgent: string) => ({
  userAgent,
  viewport: request.viewport ?? { width: 1_280, height: 800 },
  proxy: { server, username: session.username, password: session.password, bypass: '<-loopback>' },
  acceptDownloads: false,
  serviceWorkers: 'block' as const,
  permissions: [],
  reducedMotion: 'reduce' as const,
});

async function toResponse(page: LoadedPage, startedAt: number): Promise<FetchResponse> {
  const headers = { ...page.headers };
  // The body is decoded, and a page is written anew: these no longer describe it.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])
    delete headers[name];
  const html = page.bytes === undefined ? await page.html() : undefined;
  if (html !== undefined) headers['content-type'] = 'text/html; charset=utf-8';
  const now = performance.now();
  return {
    url: page.url,
    status: page.status,
    headers,
    body: page.bytes ?? Buffer.from(html ?? ''),
    redirects: page.redirects,
    ...(page.remoteAddress !== undefined && { remoteAddress: page.remoteAddress }),
    timings: { firstByteMs: (page.firstByteAt ?? now) - startedAt, totalMs: now - startedAt },
  };
}

/** Waits for something that must be given back: also when it only comes after the wait was given up. */
async function obtain<T>(coming: Promise<T>, failed: Promise<never>, giveBack: (thing: T) => unknown): Promise<T> {
  try {
    return await Promise.race([coming, failed]);
  } catch (error) {
    void coming.then(giveBack).catch(() => {});
    throw error;
  }
}
