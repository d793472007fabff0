import { createHash } from 'node:crypto';
import type { App } from '../../app.ts';
import { CRAWL_CHANNEL } from '../../db/crawls/crawls.ts';
import type { Crawl } from '../../operations/crawls/crawl.ts';
import { getCrawl } from '../../operations/crawls/get-crawl.ts';

/** Between two looks at most: notices can get lost. And at least: a fast crawl changes many times a second. */
const POLL_MS = 2_000;
const PAUSE_MS = 200;

const ENDED: readonly Crawl['status'][] = ['completed', 'failed', 'cancelled'];

export interface Snapshot {
  /** The same for the same state, so a client that comes back says what it has seen. */
  id: string;
  crawl: Crawl;
}

export interface CrawlFeed extends AsyncDisposable {
  /** Each new state of a crawl, the present one first (unless it is `seen`); ends with the crawl or the signal. */
  watch(id: string, signal: AbortSignal, seen?: string): AsyncGenerator<Snapshot>;
}

/** One listening connection for all who watch; it is opened for the first of them. */
export function createCrawlFeed(app: App): CrawlFeed {
  const waiting = new Map<string, Set<() => void>>();
  let listening: Promise<AsyncDisposable | undefined> | undefined;

  const listen = () =>
    app.database
      .listen(CRAWL_CHANNEL, (id) => {
        for (const wake of waiting.get(id) ?? []) wake();
      })
      .catch((error: unknown) => {
        app.log.warn('crawl_feed_polls', { error });
        return undefined;
      });

  /** Resolves at a notice for the crawl, after a while, or at the end of the signal. */
  function change(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wakers = waiting.get(id) ?? new Set();
      waiting.set(id, wakers);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        wakers.delete(done);
        if (wakers.size === 0 && waiting.get(id) === wakers) waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, POLL_MS);
      wakers.add(done);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  return {
    async *watch(id, signal, seen) {
      listening ??= listen();
      await listening;
      let last = seen;
      while (!signal.aborted) {
        const changed = change(id, signal);
        const snapshot = toSnapshot(await getCrawl(app, id));
        if (snapshot.id !== last) {
          last = snapshot.id;
          yield snapshot;
        }
        if (ENDED.includes(snapshot.crawl.status)) return;
        await changed;
        if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    async [Symbol.asyncDispose]() {
      await (await listening)?.[Symbol.asyncDispose]();
    },
  };
}

const toSnapshot = (crawl: Crawl): Snapshot => ({
  id: createHash('sha256').update(JSON.stringify(crawl)).digest('base64url').slice(0, 16),
  crawl,
});
