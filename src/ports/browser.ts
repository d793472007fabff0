import type { Engine } from './engine.ts';
import type { Fetcher, FetchRequest, FetchResponse } from './fetcher.ts';

export interface PageRequest extends Omit<FetchRequest, 'method' | 'body'> {
  /** A CSS selector; the page is ready when something matches. TIMEOUT when nothing ever does. */
  waitFor?: string;
  /** Milliseconds to wait once the page is quiet. */
  waitMs?: number;
  /** `text` (the default) leaves images, sound, films and fonts out. */
  load?: 'text' | 'all';
  viewport?: { width: number; height: number };
}

/** A page that has loaded and is quiet. It is gone when the work on it ends. */
export interface BrowserPage {
  readonly url: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly redirects: FetchResponse['redirects'];
  readonly remoteAddress?: string;
  /** The document as it stands now. */
  html(): Promise<string>;
  title(): Promise<string>;
  /** PNG bytes. Very long pages are cut at the bottom. */
  screenshot(options: { fullPage: boolean }): Promise<Uint8Array>;
  pdf(options: { format: string; landscape: boolean }): Promise<Uint8Array>;
  /** Runs a script in the page; its value, as JSON, or undefined. Rejects when the script throws. */
  evaluate(script: string): Promise<unknown>;
}

/**
 * A fetcher that runs a page's scripts: `fetch` gives the rendered document as UTF-8 HTML; what is not HTML comes as
 * it was sent.
 *
 * Contract, beyond the one of Fetcher:
 * - No request of a page reaches an address the guard refuses: sub-resources, frames, sockets and workers included.
 * - A page cannot outlive its request. Scripts that never end cost their page's time, not more.
 * - Only GET. Without a browser it rejects with BROWSER_MISSING.
 */
export interface Browser extends Fetcher, Engine {
  open<T>(request: PageRequest, work: (page: BrowserPage) => Promise<T>): Promise<T>;
}
