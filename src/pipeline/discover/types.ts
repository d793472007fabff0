import type { ErrorCode } from '../../errors.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import type { PoliteClient } from '../fetch/polite-client.ts';
import type { SiteClient } from './site-client.ts';
import type { ChangeFrequency } from './sitemap.ts';

/** `robots` is only the sitemaps that robots.txt names; `sitemap` also looks at the usual places. */
export const DISCOVER_SOURCES = ['sitemap', 'robots', 'feeds', 'links', 'common_crawl'] as const;
export type DiscoverSource = (typeof DISCOVER_SOURCES)[number];

export interface DiscoveredUrl {
  url: string;
  source: DiscoverSource;
  lastModified?: string;
  changeFrequency?: ChangeFrequency;
  priority?: number;
  /** Title or anchor text, where the source knows one. */
  title?: string;
  /** The language it is in, where the source says. */
  language?: string;
  /** 0 to 1, when a query was given. */
  score?: number;
}

/** Why a part of the search found nothing. */
export interface DiscoverProblem {
  url: string;
  code: ErrorCode;
  message: string;
  /** Where it may be tried again: after how long. */
  retryAfterMs?: number;
}

export interface DiscoverRequest {
  /** A host name or an address on it. */
  site: string;
  sources: readonly DiscoverSource[];
  /** See compilePattern. */
  pattern?: string;
  maxUrls: number;
  /** Keep what fits it best, best first. */
  query?: string;
  scoreThreshold?: number;
}

export interface DiscoverSummary {
  found: number;
  /** Addresses seen, before filters. */
  examined: number;
  /** Addresses of sitemaps that were read and left out because the limit was reached; the first few as examples. */
  beyond: { count: number; samples: string[] };
  problems: DiscoverProblem[];
  /** The limit that ended it, if one did. */
  limit?: 'urls' | 'time';
}

export interface DiscoverTools {
  polite: PoliteClient;
  fetcher: Fetcher;
  userAgent: string;
  commonCrawlUrl: string;
  /** For all of the search, waits for the site's turn included. */
  timeoutMs?: number;
  maxSitemaps?: number;
  signal?: AbortSignal;
}

/** What the sources work with. */
export interface DiscoverContext {
  site: { url: string; origin: string; host: string };
  client: SiteClient;
  commonCrawlUrl: string;
  maxSitemaps: number;
  /** No more addresses are wanted: sources end, and the rest of the current one is only counted. */
  full: boolean;
  /** True for the site's host, the ones below it, and its other spelling with or without www. */
  inSite(place: { origin: string; host: string; domain: string }): boolean;
  report(url: string, error: unknown): void;
}
