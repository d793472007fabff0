import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { AppError } from '../../errors.ts';
import type { BrowserPage, PageRequest } from '../../ports/browser.ts';
import type { ProxySession } from '../../web/filter-proxy.ts';
import { mapBrowserError } from './chromium-errors.ts';
import { Navigation, type NavigationOptions } from './chromium-navigation.ts';

/** Longest wait for a page that never stops loading: what it shows by then is taken. */
const QUIET_MS = 4_000;
const MAX_SCRIPT_NAVIGATIONS_MS = 5_000;
const MAX_SCREENSHOT_PIXELS = 16_000;
const LEFT_OUT = new Set(['image', 'media', 'font']);

/** Bound by what the page does; ends by throwing as soon as `failed` rejects. */
export interface LoadOptions extends Omit<NavigationOptions, 'failureOf' | 'goThrough' | 'onFailure'> {
  session: ProxySession;
  /** Rejects when the page must end: time is up, the caller left, the browser died. */
  failed: Promise<never>;
  fail(error: Error): void;
}

export interface LoadedPage extends BrowserPage {
  /** The document, when it is not a page. */
  readonly bytes: Uint8Array | undefined;
  readonly firstByteAt: number | undefined;
}

/** Brings a page into a state worth reading: loaded, quiet, and where its own scripts lead. */
export async function loadPage(context: BrowserContext, options: LoadOptions): Promise<LoadedPage> {
  const { request, session, failed, fail, maxBytes } = options;
  const orFail = <T>(work: Promise<T>): Promise<T> => Promise.race([work, failed]);
  const page = await orFail(context.newPage());
  keepToItself(context, page, fail);
  if (request.load !== 'all')
    await orFail(
      context.route('**/*', (route) =>
        LEFT_OUT.has(route.request().resourceType()) ? route.abort() : route.fallback(),
      ),
    );
  const cdp = await orFail(context.newCDPSession(page));
  const { frameTree } = await orFail(cdp.send('Page.getFrameTree'));
  const navigation = new Navigation(cdp, frameTree.frame.id, {
    ...options,
    failureOf: (url) => session.failureOf(url),
    goThrough: (proxy) => {
      session.upstream = proxy;
    },
    onFailure: fail,
  });
  await orFail(navigation.watch());

  let loaded = 0;
  page.on('domcontentloaded', () => {
    loaded = navigation.started;
  });
  try {
    await orFail(page.goto(request.url, { waitUntil: 'domcontentloaded', timeout: 0 }));
    await orFail(settle(page, request, () => loaded < navigation.started));
  } catch (error) {
    if (navigation.bytes === undefined) throw explain(error, navigation, session);
  }
  if (session.exceeded) throw new AppError('TOO_LARGE', `${request.url} and what it loads are too large`);
  return describe(page, cdp, frameTree.frame.id, navigation, session, maxBytes, orFail);
}

function explain(error: unknown, navigation: Navigation, session: ProxySession): AppError {
  if (error instanceof AppError) return error;
  if (session.exceeded) return new AppError('TOO_LARGE', `${navigation.url} and what it loads are too large`);
  return session.failureOf(navigation.url) ?? mapBrowserError(error, navigation.url);
}

/** No windows, no questions, no files. */
function keepToItself(context: BrowserContext, page: Page, fail: (error: Error) => void): void {
  context.on('page', (other) => {
    if (other !== page) other.close().catch(() => {});
  });
  page.on('dialog', (dialog) => {
    dialog.dismiss().catch(() => {});
  });
  page.on('crash', () => fail(new AppError('RENDER_FAILED', 'the page ended its browser process')));
}

async function settle(page: Page, request: PageRequest, isLeaving: () => boolean): Promise<void> {
  await quiet(page, QUIET_MS);
  // A script that leads to another page gets the time to arrive there.
  const limit = performance.now() + MAX_SCRIPT_NAVIGATIONS_MS;
  while (isLeaving() && performance.now() < limit) {
    await page.waitForEvent('domcontentloaded', { timeout: limit - performance.now() }).catch(() => {});
    await quiet(page, Math.max(1, limit - performance.now()));
  }
  if (request.waitFor !== undefined) await page.waitForSelector(request.waitFor, { state: 'attached', timeout: 0 });
  if (request.waitMs !== undefined) await page.waitForTimeout(request.waitMs);
}

const quiet = (page: Page, timeout: number) => page.waitForLoadState('networkidle', { timeout }).catch(() => {});

function describe(
  page: Page,
  cdp: CDPSession,
  frameId: string,
  navigation: Navigation,
  session: ProxySession,
  maxBytes: number,
  orFail: <T>(work: Promise<T>) => Promise<T>,
): LoadedPage {
  const remoteAddress = session.addressOf(navigation.url);
  const run = <T>(work: Promise<T>) =>
    orFail(work).catch((error: unknown) => {
      throw mapBrowserError(error, navigation.url);
    });
  return {
    url: navigation.url,
    status: navigation.status,
    headers: navigation.headers,
    redirects: navigation.redirects,
    bytes: navigation.bytes,
    firstByteAt: navigation.firstByteAt,
    ...(remoteAddress !== undefined && { remoteAddress }),
    html: () => run(readHtml(cdp, frameId, maxBytes)),
    title: () => run(page.title()),
    async screenshot({ fullPage }) {
      if (!fullPage) return run(page.screenshot({ type: 'png' }));
      const { cssContentSize } = await run(cdp.send('Page.getLayoutMetrics'));
      const width = Math.min(Math.ceil(cssContentSize.width), MAX_SCREENSHOT_PIXELS);
      const height = Math.min(Math.ceil(cssContentSize.height), MAX_SCREENSHOT_PIXELS);
      return run(page.screenshot({ type: 'png', fullPage: true, clip: { x: 0, y: 0, width, height } }));
    },
    pdf: ({ format, landscape }) => run(page.pdf({ format, landscape, printBackground: true })),
    evaluate: (script) => run(page.evaluate(script)),
  };
}

/**
 * Read in an isolated world, where the page's scripts have not touched the functions used; cut before it leaves the
 * browser, so that an endless document cannot fill our memory.
 */
async function readHtml(cdp: CDPSession, frameId: string, maxBytes: number): Promise<string> {
  const expression = `(() => {
    const type = document.doctype === null ? '' : new XMLSerializer().serializeToString(document.doctype);
    const html = type + (document.documentElement?.outerHTML ?? '');
    return html.length > ${maxBytes} ? undefined : html;
  })()`;
  const { executionContextId } = await cdp.send('Page.createIsolatedWorld', { frameId, worldName: 'reader' });
  const { result } = await cdp.send('Runtime.evaluate', {
    expression,
    contextId: executionContextId,
    returnByValue: true,
  });
  if (typeof result.value !== 'string')
    throw new AppError('TOO_LARGE', `the document is larger than ${maxBytes} bytes`);
  return result.value;
}
