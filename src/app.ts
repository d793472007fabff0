import type { Settings } from './config/settings.ts';
import type { Log } from './log.ts';
import type { Guard } from './pipeline/fetch/guard.ts';
import type { Blobs } from './ports/blobs.ts';
import type { Browser } from './ports/browser.ts';
import type { Cache } from './ports/cache.ts';
import type { Database } from './ports/database.ts';
import type { Dispatch } from './ports/dispatch.ts';
import type { Embedder } from './ports/embedder.ts';
import type { Fetcher } from './ports/fetcher.ts';
import type { Fulltext } from './ports/fulltext.ts';
import type { Reranker } from './ports/reranker.ts';
import type { Vectors } from './ports/vectors.ts';

/** What every operation and role gets: the settings, and each port with the driver the settings chose. */
export interface App extends AsyncDisposable {
  readonly version: string;
  readonly settings: Settings;
  readonly log: Log;
  readonly guard: Guard;
  readonly database: Database;
  readonly cache: Cache;
  readonly dispatch: Dispatch;
  readonly blobs: Blobs;
  readonly fetcher: Fetcher;
  /** Runs a page's scripts; rejects with BROWSER_MISSING where no Chromium is found. */
  readonly browser: Browser;
  readonly embedder: Embedder;
  readonly vectors: Vectors;
  /** The vectors of another model: the one that still answers while this one's are being made. */
  openVectors(model: string, dimension: number): Vectors;
  readonly fulltext: Fulltext;
  readonly reranker: Reranker | undefined;
}
