// Made from the OpenAPI document by npm run generate. Changes made here are lost.
import { type Call, type CallOptions, type ListPage, part, type RawBody } from './call.ts';
import { type Follow, type FollowOptions, type StreamEvent } from './follow.ts';

/** The version of the API this was made from. */
export const VERSION = "0.1.0";

export interface Alert {
  /** A UUIDv7. */
  id: string;
  /** The name of the rule. */
  kind: string;
  /** What it is about: a worker, a domain; empty for the whole installation. */
  subject: string;
  severity: "info" | "warning" | "critical";
  status: "firing" | "acknowledged" | "resolved";
  message: string;
  /** What was measured last. */
  value: number | null;
  threshold: number | null;
  details: Record<string, unknown>;
  raised_at: string;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  resolved_at: string | null;
}

export interface ApiKey {
  /** A UUIDv7. */
  id: string;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  scopes: Array<"read" | "write" | "admin">;
  /** Requests a minute. */
  rate_limit_rpm: number;
  /** The person it belongs to: it ends with them, and can do no more than they can. Null: nobody. */
  owner: {
    /** A UUIDv7. */
    id: string;
    email: string;
  } | null;
  /** The collections it is bound to: it sees nothing else. Empty: it is not bound. */
  collections: string[];
  /** Crawls open at once. Null: the default of the settings. 0: no limit. */
  max_open_crawls: number | null;
  /** Pages stored in a UTC day. Null: the default of the settings. 0: no limit. */
  max_pages_per_day: number | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  is_active: boolean;
}

export interface BatchCrawl {
  /** A UUIDv7. */
  id: string;
  /** Another name for id. */
  job_id: string;
  kind: "urls" | "batch" | "deep" | "source" | "recurring" | "import";
  status: "pending" | "running" | "paused" | "completed" | "failed" | "cancelled";
  urls: string[];
  strategy: "bfs" | "dfs" | "best_first";
  max_depth: number;
  max_pages: number;
  priority: number;
  /** What best_first looks for. */
  keywords: string[];
  /** Links that score less are left out. */
  score_threshold: number;
  /** As in force: the config’s, with those of the request over them. */
  options: CrawlOptions;
  pages_discovered: number;
  pages_crawled: number;
  pages_failed: number;
  pages_skipped: number;
  pages_cancelled: number;
  /** Further visits of a recurring crawl whose time has not come. */
  visits_planned: number;
  /** Share of the discovered pages that are done, 0 to 100. */
  progress: number;
  current_depth: number;
  /** Links that did not enter the crawl, by reason. */
  links_refused: Record<string, {
    count: number;
    samples: string[];
  }>;
  source_id: string | null;
  config_id: string | null;
  collection_id: string | null;
  tags: string[];
  /** Headers that are sent along; their values are never shown. */
  header_names: string[];
  /** Where those headers are sent. */
  header_origins: string[];
  error: string | null;
  error_code: string | null;
  created_by: string;
  /** Who started it: the person, also where that was by a key; else the key. Null: the installation itself. */
  owner: {
    kind: "user" | "key";
    /** A UUIDv7. */
    id: string;
    /** The address of the person, or the name of the key; null when it is gone. */
    name: string | null;
  } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /** Addresses that were taken. */
  total_submitted: number;
  /** Addresses that were not. */
  failed_count: number;
  refused: Array<{
    url: string;
    code: string;
    reason: string;
  }>;
  /** The crawl, as a list of one. */
  jobs: Array<{
    /** A UUIDv7. */
    job_id: string;
    status: "pending" | "running" | "paused" | "completed" | "failed" | "cancelled";
  }>;
}

export interface BatchCrawlRequest {
  urls: Array<string | {
    url: string;
    /** Instead of the crawl’s. */
    priority?: number | "high" | "normal" | "low";
  }>;
  /** A stored config; what the request says itself wins over it. */
  config_id?: string;
  /** A UUIDv7. */
  collection_id?: string;
  tags?: string[];
  priority?: number | "high" | "normal" | "low";
  /** Receives a message when the crawl has ended. */
  webhook_url?: string;
  webhook_headers?: Record<string, string>;
  /** Instead of webhook_url, with a choice of events. */
  webhook?: CrawlWebhook;
  options?: CrawlOptionsInput;
  /** Nothing is fetched before this time. */
  scheduled_at?: string;
  /** Another name for config_id. */
  crawl_config_id?: string;
}

export interface CacheStats {
  entries: number;
  bytes: number;
  /** Since start. */
  hits: number;
  misses: number;
  hit_rate: number | null;
}

export interface Capture {
  /** A UUIDv7. */
  id: string;
  kind: "screenshot" | "pdf" | "scripts";
  /** The address as it was requested. */
  url: string;
  /** Where it was taken, after redirects. */
  final_url: string;
  status: number;
  title: string;
  content_type: string;
  /** Bytes. */
  size: number;
  /** Only its owner and admins see it: scripts of the owner ran in the page. */
  private: boolean;
  owner: string;
  created_at: string;
  /** When it is removed. */
  expires_at: string;
  /** A signed link to the bytes: whoever has it may download them. */
  link: string;
  link_expires_at: string;
}

export interface Chunk {
  /** A UUIDv7. */
  id: string;
  /** A UUIDv7. */
  document_id: string;
  chunk_index: number;
  start_char: number;
  end_char: number;
  content: string;
  token_count: number;
  heading_path: string[];
  /** The last heading above it. */
  section_header: string | null;
  content_type: "prose" | "code" | "table" | "list";
  /** Null until its vector is made. */
  embedding_model: string | null;
}

export interface Cleared {
  /** Entries that answer no more. */
  cleared: number;
}

export interface Collection {
  /** A UUIDv7. */
  id: string;
  name: string;
  description: string | null;
  created_at: string;
  updated_at: string;
}

export interface CollectionDetail {
  /** A UUIDv7. */
  id: string;
  name: string;
  description: string | null;
  created_at: string;
  updated_at: string;
  documents: number;
}

export interface Crawl {
  /** A UUIDv7. */
  id: string;
  /** Another name for id. */
  job_id: string;
  kind: "urls" | "batch" | "deep" | "source" | "recurring" | "import";
  status: "pending" | "running" | "paused" | "completed" | "failed" | "cancelled";
  urls: string[];
  strategy: "bfs" | "dfs" | "best_first";
  max_depth: number;
  max_pages: number;
  priority: number;
  /** What best_first looks for. */
  keywords: string[];
  /** Links that score less are left out. */
  score_threshold: number;
  /** As in force: the config’s, with those of the request over them. */
  options: CrawlOptions;
  pages_discovered: number;
  pages_crawled: number;
  pages_failed: number;
  pages_skipped: number;
  pages_cancelled: number;
  /** Further visits of a recurring crawl whose time has not come. */
  visits_planned: number;
  /** Share of the discovered pages that are done, 0 to 100. */
  progress: number;
  current_depth: number;
  /** Links that did not enter the crawl, by reason. */
  links_refused: Record<string, {
    count: number;
    samples: string[];
  }>;
  source_id: string | null;
  config_id: string | null;
  collection_id: string | null;
  tags: string[];
  /** Headers that are sent along; their values are never shown. */
  header_names: string[];
  /** Where those headers are sent. */
  header_origins: string[];
  error: string | null;
  error_code: string | null;
  created_by: string;
  /** Who started it: the person, also where that was by a key; else the key. Null: the installation itself. */
  owner: {
    kind: "user" | "key";
    /** A UUIDv7. */
    id: string;
    /** The address of the person, or the name of the key; null when it is gone. */
    name: string | null;
  } | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
}

export interface CrawlConfig {
  /** A UUIDv7. */
  id: string;
  name: string;
  options: CrawlOptions;
  /** Headers that are sent along; their values are never shown. */
  header_names: string[];
  /** Where those headers are sent. */
  header_origins: string[];
  created_at: string;
  updated_at: string;
}

export interface CrawlDocument {
  /** A UUIDv7. */
  task_id: string;
  /** A UUIDv7. */
  document_id: string;
  url: string;
  title: string | null;
  content: string;
  language: string | null;
  content_type: string;
  depth: number;
  fetched_at: string;
}

export interface CrawlOptions {
  strategy?: "bfs" | "dfs" | "best_first";
  /** How many links away from the start; 0 is the start alone. */
  max_depth?: number;
  max_pages?: number;
  /** Where links may lead: the same site (default), host, folder, or anywhere. */
  scope?: "domain" | "host" | "path" | "any";
  /** Only addresses that match one; * stands for anything, a pattern that starts with / is held against the path. */
  include_patterns?: string[];
  exclude_patterns?: string[];
  follow_nofollow?: boolean;
  /** Also start from the site’s sitemaps. */
  use_sitemap?: boolean;
  /** Requests per second to a domain, where that is less than the domain allows; for this crawl alone. */
  rate_limit_rps?: number;
  respect_robots_txt?: boolean;
  /** Whether a browser runs the page’s scripts; auto: when it is empty without. */
  render?: "never" | "auto" | "always";
  /** Where a browser runs: a CSS selector that has to match first. */
  wait_for?: string;
  page_timeout_ms?: number;
  max_page_size_mb?: number;
  max_redirects?: number;
  /** Reuse what was fetched at most this long ago. */
  max_age_s?: number;
  /** Languages whose pages are kept; * for all. */
  languages?: string[];
  only_main_content?: boolean;
  include_selectors?: string[];
  exclude_selectors?: string[];
  products?: boolean;
  chunking_strategy?: "markdown" | "sentence" | "sliding_window";
  /** Tokens a chunk has at most, title and heading included; more than the model reads at once is refused. No chunk exceeds 10 KB. */
  chunk_size?: number;
  chunk_overlap?: number;
  min_chunk_size?: number;
  /** Plan the next visit of each page after it was fetched. */
  recurring?: boolean;
  /** Time between visits to start with; it adapts to how often a page changes. */
  interval_s?: number;
  max_retries?: number;
  /** Write an event for each page, besides those of the crawl. */
  page_events?: boolean;
}

export interface CrawlOptionsInput {
  strategy?: "bfs" | "dfs" | "best_first";
  /** How many links away from the start; 0 is the start alone. */
  max_depth?: number;
  max_pages?: number;
  /** Where links may lead: the same site (default), host, folder, or anywhere. */
  scope?: "domain" | "host" | "path" | "any";
  /** Only addresses that match one; * stands for anything, a pattern that starts with / is held against the path. */
  include_patterns?: string[];
  exclude_patterns?: string[];
  follow_nofollow?: boolean;
  /** Also start from the site’s sitemaps. */
  use_sitemap?: boolean;
  /** Requests per second to a domain, where that is less than the domain allows; for this crawl alone. */
  rate_limit_rps?: number;
  respect_robots_txt?: boolean;
  /** Whether a browser runs the page’s scripts; auto: when it is empty without. */
  render?: "never" | "auto" | "always";
  /** Where a browser runs: a CSS selector that has to match first. */
  wait_for?: string;
  page_timeout_ms?: number;
  max_page_size_mb?: number;
  max_redirects?: number;
  /** Reuse what was fetched at most this long ago. */
  max_age_s?: number;
  /** Languages whose pages are kept; * for all. */
  languages?: string[];
  only_main_content?: boolean;
  include_selectors?: string[];
  exclude_selectors?: string[];
  products?: boolean;
  chunking_strategy?: "markdown" | "sentence" | "sliding_window";
  /** Tokens a chunk has at most, title and heading included; more than the model reads at once is refused. No chunk exceeds 10 KB. */
  chunk_size?: number;
  chunk_overlap?: number;
  min_chunk_size?: number;
  /** Plan the next visit of each page after it was fetched. */
  recurring?: boolean;
  /** Time between visits to start with; it adapts to how often a page changes. */
  interval_s?: number;
  max_retries?: number;
  /** Write an event for each page, besides those of the crawl. */
  page_events?: boolean;
  /** Sent to the origins they are for, and nowhere else. Absent on a change: the stored ones stay. */
  headers?: Record<string, string>;
  /** The origin the headers are for. Absent: those of the addresses in the request; a config has to name it. */
  headers_origin?: string;
}

export interface CrawlRequest {
  urls: Array<string | {
    url: string;
    /** Instead of the crawl’s. */
    priority?: number | "high" | "normal" | "low";
  }>;
  /** A stored config; what the request says itself wins over it. */
  config_id?: string;
  /** A UUIDv7. */
  collection_id?: string;
  tags?: string[];
  priority?: number | "high" | "normal" | "low";
  /** Receives a message when the crawl has ended. */
  webhook_url?: string;
  webhook_headers?: Record<string, string>;
  /** Instead of webhook_url, with a choice of events. */
  webhook?: CrawlWebhook;
  options?: CrawlOptionsInput;
  /** Nothing is fetched before this time. */
  scheduled_at?: string;
  /** Another name for config_id. */
  crawl_config_id?: string;
}

export interface CrawlWebhook {
  url: string;
  headers?: Record<string, string>;
  /** Absent: the ends of the crawl. As for other webhooks. */
  events?: Array<"crawl.started" | "crawl.completed" | "crawl.failed" | "crawl.cancelled" | "document.changed" | "document.gone" | "product.price_changed" | "source.run" | "alert.raised" | "alert.cleared" | "webhook.disabled" | "crawl.page" | "*" | "crawl.*" | "document.*" | "product.*" | "source.*" | "alert.*" | "webhook.*" | "completed" | "failed" | "cancelled">;
  filter?: WebhookFilter;
}

export interface CreateSilence {
  /** The name of the rule. Absent: any. */
  kind?: string;
  /** What the alert is about. Absent: any. */
  subject?: string;
  reason?: string;
  /** Seconds, from a minute to a year. */
  duration_s?: number;
}

export interface CreatedApiKey {
  /** A UUIDv7. */
  id: string;
  name: string;
  /** The first characters of the key. */
  prefix: string;
  scopes: Array<"read" | "write" | "admin">;
  /** Requests a minute. */
  rate_limit_rpm: number;
  /** The person it belongs to: it ends with them, and can do no more than they can. Null: nobody. */
  owner: {
    /** A UUIDv7. */
    id: string;
    email: string;
  } | null;
  /** The collections it is bound to: it sees nothing else. Empty: it is not bound. */
  collections: string[];
  /** Crawls open at once. Null: the default of the settings. 0: no limit. */
  max_open_crawls: number | null;
  /** Pages stored in a UTC day. Null: the default of the settings. 0: no limit. */
  max_pages_per_day: number | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  is_active: boolean;
  /** Shown this once. */
  key: string;
}

export interface CreatedUser {
  /** A UUIDv7. */
  id: string;
  email: string;
  /** viewer reads, operator also writes, admin does everything. */
  role: "viewer" | "operator" | "admin";
  /** False: neither the person nor a key of the person gets in. */
  is_active: boolean;
  has_password: boolean;
  /** Has signed in with the OpenID provider before. */
  has_provider: boolean;
  /** Until when the invite or reset link works; null: there is none. */
  link_expires_at: string | null;
  created_at: string;
  updated_at: string;
  last_login_at: string | null;
  invite: PasswordLink;
}

export interface DeepCrawlRequest {
  url?: string;
  strategy?: "bfs" | "dfs" | "best_first";
  max_depth?: number;
  /** Absent: 100. More than the settings allow is refused. */
  max_pages?: number;
  /** For best_first: links that score less are left out. Absent: 0.4 with keywords, 0 without. */
  score_threshold?: number;
  keywords?: string[];
  /** A stored config; what the request says itself wins over it. */
  config_id?: string;
  /** A UUIDv7. */
  collection_id?: string;
  tags?: string[];
  priority?: number | "high" | "normal" | "low";
  /** Receives a message when the crawl has ended. */
  webhook_url?: string;
  webhook_headers?: Record<string, string>;
  /** Instead of webhook_url, with a choice of events. */
  webhook?: CrawlWebhook;
  options?: CrawlOptionsInput;
  /** Nothing is fetched before this time. */
  scheduled_at?: string;
  /** Another name for config_id. */
  crawl_config_id?: string;
  /** Another name for url. */
  root_url?: string;
}

export interface Discovery {
  /** A UUIDv7. */
  id: string;
  /** Another name for id. */
  job_id: string;
  domain: string;
  sources: Array<"sitemap" | "robots" | "feeds" | "links" | "common_crawl">;
  pattern: string | null;
  max_urls: number;
  score_query: string | null;
  score_threshold: number;
  status: "pending" | "running" | "completed" | "failed" | "cancelled";
  urls_found: number;
  /** The addresses, once it is done. */
  result: string[] | null;
  /** The same with all that is known about each. */
  urls: Array<{
    url: string;
    source: "sitemap" | "robots" | "feeds" | "links" | "common_crawl";
    last_modified: string | null;
    change_frequency: string | null;
    priority: number | null;
    title: string | null;
    language: string | null;
    score: number | null;
  }> | null;
  /** Addresses seen before filters. */
  examined: number | null;
  /** Addresses of sitemaps that were read and left out because max_urls was reached. */
  left_out: number | null;
  /** The limit that ended it, if one did. */
  limit: "urls" | "time" | null;
  /** Parts that could not be read, and why. */
  problems: Array<{
    url: string;
    code: string;
    message: string;
  }>;
  error_code: string | null;
  error: string | null;
  created_at: string;
  completed_at: string | null;
}

export interface DiscoveryInput {
  /** A host name, or an address on it. */
  domain: string;
  /** Asked in this order. */
  sources?: Array<"sitemap" | "robots" | "feeds" | "links" | "common_crawl">;
  /** Keep addresses that match: * stands for anything, | separates alternatives. */
  pattern?: string;
  max_urls?: number;
  /** Keep what fits these words best. */
  score_query?: string;
  /** With score_query: what scores less is left out. */
  score_threshold?: number;
}

export interface Document {
  /** A UUIDv7. */
  id: string;
  url: string;
  domain: string;
  title: string | null;
  language: string | null;
  content_type: string;
  kind: string | null;
  source: "crawl" | "upload" | "api";
  collection_id: string | null;
  source_id: string | null;
  parent_url: string | null;
  content_hash: string;
  content_length: number;
  metadata: Record<string, unknown>;
  version: number;
  fetched_at: string;
  /** Another name for fetched_at. */
  crawled_at: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  /** Since when its page is no longer there. */
  gone_at: string | null;
  gone_reason: "not_found" | "moved" | "noindex" | "duplicate" | null;
  indexed_at: string | null;
  /** Whether the present version can be found by keyword. */
  indexed: boolean;
  tags: Array<{
    /** A UUIDv7. */
    id: string;
    name: string;
  }>;
}

export interface DocumentDetail {
  /** A UUIDv7. */
  id: string;
  url: string;
  domain: string;
  title: string | null;
  language: string | null;
  content_type: string;
  kind: string | null;
  source: "crawl" | "upload" | "api";
  collection_id: string | null;
  source_id: string | null;
  parent_url: string | null;
  content_hash: string;
  content_length: number;
  metadata: Record<string, unknown>;
  version: number;
  fetched_at: string;
  /** Another name for fetched_at. */
  crawled_at: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  /** Since when its page is no longer there. */
  gone_at: string | null;
  gone_reason: "not_found" | "moved" | "noindex" | "duplicate" | null;
  indexed_at: string | null;
  /** Whether the present version can be found by keyword. */
  indexed: boolean;
  tags: Array<{
    /** A UUIDv7. */
    id: string;
    name: string;
  }>;
  /** Markdown; chunk offsets count in it. */
  content: string;
  chunks: number;
}

export interface Domain {
  domain: string;
  is_blocked: boolean;
  blocked_reason: string | null;
  /** Null: the default of the settings. */
  rate_limit_rps: number | null;
  /** What its robots.txt asks for. */
  crawl_delay_ms: number;
  /** Extra delay after 429, 503, or growing latency. */
  throttle_ms: number;
  autothrottle: boolean;
  max_concurrency: number | null;
  maintenance_windows: unknown[];
  user_agent: string | null;
  parser: string | null;
  shadow_parser: string | null;
  recrawl_interval_s: number | null;
  proxy_strategy: "round_robin" | "least_used" | "random" | "lru";
  proxy_country: string | null;
  uses_proxies: boolean;
  /** Why nothing of it is fetched now, whatever waits. */
  stalled_by: "DOMAIN_BLOCKED" | "MAINTENANCE" | "PROXY_UNAVAILABLE" | "CIRCUIT_OPEN" | null;
  next_request_at: string | null;
  circuit: {
    state: "closed" | "open" | "half_open";
    failures: number;
    until: string | null;
    threshold: number | null;
    timeout_s: number | null;
  };
  latency_ms: number | null;
  pages_fetched: number;
  pages_failed: number;
  created_at: string;
  updated_at: string;
}

export interface DomainFigures {
  domain: string;
  pages_fetched: number;
  pages_failed: number;
  latency_ms: number | null;
  circuit_state: "closed" | "open" | "half_open";
  is_blocked: boolean;
}

export interface DomainProxy {
  /** A UUIDv7. */
  proxy_id: string;
  name: string;
  url: string;
  country_code: string | null;
  city: string | null;
  /** On for this domain, and on at all. */
  is_active: boolean;
  /** Who turned it off: failures do so by themselves, and only those come back by themselves. */
  off_by: "person" | "health" | null;
  priority: number;
  /** Its place in the order that round_robin goes by. */
  position: number;
  use_count: number;
  success_count: number;
  /** Failures in a row. */
  failure_count: number;
  success_rate: number | null;
  avg_response_ms: number | null;
  last_used_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface DomainProxyHealth {
  domain: string;
  strategy: string;
  total: number;
  active: number;
  /** With at least one failure in a row. */
  failing: number;
  requests: number;
  success_rate: number | null;
  avg_response_ms: number | null;
  proxies: DomainProxy[];
}

export interface DomainRobots {
  domain: string;
  files: Array<{
    origin: string;
    status: number | null;
    /** Why it cannot be read. */
    reason: string | null;
    state: "rules" | "allow_all" | "unavailable";
    body: string | null;
    crawl_delay_ms: number | null;
    sitemaps: string[];
    fetched_at: string;
    expires_at: string;
  }>;
}

export interface DomainStats {
  domain: string;
  pages_fetched: number;
  pages_failed: number;
  latency_ms: number | null;
  /** Why nothing of it is fetched now, such as PROXY_UNAVAILABLE. */
  stalled_by: string | null;
  /** Counted up to 10,000. */
  tasks_waiting: number;
  tasks_in_flight: number;
  pages: number;
  pages_changed: number;
  documents: number;
  products: number;
  /** Pages by the code of their last error. */
  errors: Record<string, number>;
}

export interface ErrorBody {
  /** One sentence for people. */
  error: string;
  /** For programs; the list of codes is in the description of this API. */
  code: string;
  details?: Record<string, unknown>;
  request_id: string;
  /** What to do next. */
  hint?: string;
}

export type Event = {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.created";
  data: {
    kind: string;
    /** The first address. */
    url: string;
    url_count: number;
    source_id: string | null;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.started";
  data: {
    status: string;
    pages_discovered: number;
    pages_crawled: number;
    pages_failed: number;
    pages_skipped: number;
    pages_cancelled: number;
    current_depth: number;
    /** The status before. */
    from: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.progress";
  data: {
    status: string;
    pages_discovered: number;
    pages_crawled: number;
    pages_failed: number;
    pages_skipped: number;
    pages_cancelled: number;
    current_depth: number;
    /** What changed since the event before. */
    batch: {
      discovered: number;
      crawled: number;
      failed: number;
      skipped: number;
      cancelled: number;
    };
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.paused";
  data: {
    status: string;
    pages_discovered: number;
    pages_crawled: number;
    pages_failed: number;
    pages_skipped: number;
    pages_cancelled: number;
    current_depth: number;
    /** The status before. */
    from: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.resumed";
  data: {
    status: string;
    pages_discovered: number;
    pages_crawled: number;
    pages_failed: number;
    pages_skipped: number;
    pages_cancelled: number;
    current_depth: number;
    /** The status before. */
    from: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.restarted";
  data: {
    status: string;
    pages_discovered: number;
    pages_crawled: number;
    pages_failed: number;
    pages_skipped: number;
    pages_cancelled: number;
    current_depth: number;
    /** The status before. */
    from: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.completed";
  data: {
    status: string;
    pages_discovered: number;
    pages_crawled: number;
    pages_failed: number;
    pages_skipped: number;
    pages_cancelled: number;
    current_depth: number;
    /** The status before. */
    from: string;
    error: string | null;
    error_code: string | null;
    completed_at: string | null;
    /** Above 0: a later round of a recurring crawl. */
    revisits: number;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.failed";
  data: {
    status: string;
    pages_discovered: number;
    pages_crawled: number;
    pages_failed: number;
    pages_skipped: number;
    pages_cancelled: number;
    current_depth: number;
    /** The status before. */
    from: string;
    error: string | null;
    error_code: string | null;
    completed_at: string | null;
    /** Above 0: a later round of a recurring crawl. */
    revisits: number;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "crawl.cancelled";
  data: {
    status: string;
    pages_discovered: number;
    pages_crawled: number;
    pages_failed: number;
    pages_skipped: number;
    pages_cancelled: number;
    current_depth: number;
    /** The status before. */
    from: string;
    error: string | null;
    error_code: string | null;
    completed_at: string | null;
    /** Above 0: a later round of a recurring crawl. */
    revisits: number;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "page.stored";
  data: {
    task_id: string;
    url: string;
    depth: number;
    http_status: number | null;
    code: string | null;
    message: string | null;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "page.failed";
  data: {
    task_id: string;
    url: string;
    depth: number;
    http_status: number | null;
    code: string | null;
    message: string | null;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "page.skipped";
  data: {
    task_id: string;
    url: string;
    depth: number;
    http_status: number | null;
    code: string | null;
    message: string | null;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "document.changed";
  data: {
    document_id: string;
    url: string;
    domain: string;
    version: number;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "document.gone";
  data: {
    document_id: string;
    url: string;
    domain: string;
    reason: "not_found" | "moved" | "noindex" | "duplicate";
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "product.price_changed";
  data: {
    product_id: string;
    url: string;
    before: {
      price: string | null;
      regular_price: string | null;
      currency: string | null;
      availability: string | null;
    };
    after: {
      price: string | null;
      regular_price: string | null;
      currency: string | null;
      availability: string | null;
    };
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "domain.blocked";
  data: {
    domain: string;
    reason: string | null;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "domain.unblocked";
  data: {
    domain: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "domain.proxies_gone";
  /** Its pool is empty: it is fetched directly from now on. */
  data: {
    domain: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "source.run";
  data: {
    source_id: string;
    /** Null when no crawl could be started. */
    crawl_id: string | null;
    scheduled: boolean;
    error: string | null;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "alert.raised";
  data: {
    /** The name of the rule. */
    alert: string;
    severity: "info" | "warning" | "critical";
    message: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "alert.cleared";
  data: {
    /** The name of the rule. */
    alert: string;
    severity: "info" | "warning" | "critical";
    message: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "webhook.disabled";
  data: {
    webhook_id: string;
    /** Masked. */
    url: string;
    reason: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "alert.acknowledged";
  data: {
    /** The name of the rule. */
    alert: string;
    severity: "info" | "warning" | "critical";
    message: string;
  };
} | {
  /** Its place in the whole log; later events have larger ones. */
  position: number;
  crawl_id: string | null;
  /** Its number within the crawl: 1, 2, 3… without gaps. */
  seq: number | null;
  /** What it is about besides the crawl: an id, or the name of a domain. */
  subject: string | null;
  /** Who did it: key:…, user:…, or system. */
  actor: string;
  created_at: string;
  kind: "admin.action";
  data: {
    /** The operationId of the route. */
    operation: string;
    path: string;
    /** The HTTP status of the answer. */
    status: number;
    /** The error code, when it was refused. */
    code: string | null;
    request_id: string;
    /** The fields that changed, as they were. */
    before: Record<string, unknown> | null;
    after: Record<string, unknown> | null;
  };
};

export interface ExecuteScriptsInput {
  url: string;
  /** A CSS selector that must match before it is taken. */
  wait_for?: string;
  /** Further time for a page that is slow to settle. */
  wait_seconds?: number;
  timeout_ms?: number;
  viewport?: {
    width: number;
    height: number;
  };
  /** Make a new one, also when the same was requested within MEDIA__CACHE_S (an hour). */
  fresh?: boolean;
  /** Run in the page, one after the other. */
  scripts: string[];
  /** Also answer with the document as it stands afterwards. */
  include_html?: boolean;
}

export interface ExecutedScripts {
  /** A UUIDv7. */
  id: string;
  /** Where it was taken, after redirects. */
  url: string;
  status: number;
  title: string;
  /** Bytes. */
  size: number;
  /** True: it was made for an earlier request, or for one at the same time. */
  cached: boolean;
  captured_at: string;
  /** When it is removed. */
  expires_at: string;
  /** A signed link to the bytes: whoever has it may download them. */
  link: string;
  link_expires_at: string;
  /** One for each script. */
  results: Array<{
    value: unknown;
    error: string | null;
  }>;
  html?: string;
}

export interface Export {
  /** A UUIDv7. */
  id: string;
  status: "pending" | "running" | "completed" | "failed" | "cancelled";
  format: "jsonl" | "csv" | "parquet" | "md" | "warc";
  what: "documents" | "pages" | "products" | "tasks" | "chunks" | "links";
  filter: Record<string, unknown>;
  /** Rows written so far. */
  rows: number;
  bytes: number;
  /** The name of the file, once it is there. */
  name: string | null;
  /** A signed link to the file. It works for an hour; asking again gives a new one. */
  url: string | null;
  expires_at: string | null;
  error: string | null;
  error_code: string | null;
  created_at: string;
  completed_at: string | null;
}

export interface ExportRequest {
  format: "jsonl" | "csv" | "parquet" | "md" | "warc";
  /** Absent: documents, and for warc the pages whose response is stored. */
  what?: "documents" | "pages" | "products" | "tasks" | "chunks" | "links";
  /** The id of the last row that was received: the export goes on after it. */
  cursor?: string;
  /** As in the list of documents, pages, products, tasks, chunks, links. */
  domain?: string | number | boolean;
  /** As in the list of documents, chunks. */
  collection_id?: string | number | boolean;
  /** As in the list of documents. */
  tag_id?: string | number | boolean;
  /** As in the list of documents. */
  source?: string | number | boolean;
  /** As in the list of documents. */
  language?: string | number | boolean;
  /** As in the list of documents, pages, products. */
  query?: string | number | boolean;
  /** As in the list of documents, products. */
  gone?: string | number | boolean;
  /** As in the list of documents. */
  deleted?: string | number | boolean;
  /** As in the list of pages, tasks. */
  status?: string | number | boolean;
  /** As in the list of products. */
  brand?: string | number | boolean;
  /** As in the list of products. */
  category?: string | number | boolean;
  /** As in the list of products. */
  availability?: string | number | boolean;
  /** As in the list of products. */
  currency?: string | number | boolean;
  /** As in the list of products. */
  min_price?: string | number | boolean;
  /** As in the list of products. */
  max_price?: string | number | boolean;
  /** As in the list of products. */
  min_rating?: string | number | boolean;
  /** As in the list of products. */
  min_confidence?: string | number | boolean;
  /** As in the list of products. */
  sku?: string | number | boolean;
  /** As in the list of products. */
  gtin?: string | number | boolean;
  /** As in the list of tasks. */
  crawl_id?: string | number | boolean;
  /** As in the list of tasks. */
  code?: string | number | boolean;
  /** As in the list of tasks. */
  parent_id?: string | number | boolean;
  /** As in the list of tasks. */
  url?: string | number | boolean;
  /** As in the list of chunks. */
  document_id?: string | number | boolean;
  /** As in the list of links. */
  page_id?: string | number | boolean;
}

export interface FrontierAnswer {
  crawl: Crawl;
  added: number;
  refused: Array<{
    url: string;
    code: string;
    reason: string;
  }>;
}

export interface FrontierStats {
  /** Tasks that may be fetched as soon as their domain is due. Counted up to 100,000, estimated beyond. */
  waiting: number;
  /** Retries and planned visits whose time has not come. Counted up to 100,000. */
  delayed: number;
  /** Tasks that are being fetched or read. Counted up to 100,000. */
  in_flight: number;
  /** Tasks that are paused. Counted up to 100,000. */
  paused: number;
  domains_waiting: number;
  /** Domains that may be asked now. */
  domains_due: number;
  domains_blocked: number;
  circuits_open: number;
  /** When the oldest open crawl was made. */
  oldest_at: string | null;
  busiest: Array<{
    domain: string;
    waiting: number;
    next_at: string | null;
  }>;
}

export interface Health {
  status: "ok";
  version: string;
}

export interface Import {
  /** Also the id of its crawl. */
  id: string;
  name: string;
  /** Records read so far. */
  records: number;
  /** Pages that became tasks. */
  taken: number;
  /** Records that hold no page: requests, metadata, redirects, robots.txt. */
  ignored: number;
  /** Pages that were not taken, by the reason. */
  refused: Record<string, {
    count: number;
    samples: string[];
  }>;
  /** Why it could not be read to its end; what stands before that was taken. */
  problem: {
    code: string;
    message: string;
  } | null;
  /** When it was read to its end; its pages may still be waiting for a parser. */
  read_at: string | null;
  created_at: string;
  crawl: Crawl;
}

export interface IndexProgress {
  /** Whose vectors answer. */
  model: string | null;
  /** Whose vectors are being made to take over. */
  next_model: string | null;
  /** Documents not yet findable by keyword. */
  waiting_text: number;
  /** Documents with vectors to be made. */
  waiting_vectors: number;
  /** Of those, how many failed and are tried again. */
  failing: number;
  /** Passages there are. */
  chunks: number;
  chunks_without_vector: number;
}

export interface Job {
  /** A UUIDv7. */
  id: string;
  kind: string;
  status: "pending" | "running" | "completed" | "failed" | "cancelled";
  priority: number;
  payload: Record<string, unknown>;
  result: unknown;
  progress: unknown;
  attempt: number;
  max_attempts: number;
  worker_id: string | null;
  due_at: string;
  error_code: string | null;
  error: string | null;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
}

export interface Me {
  kind: "anonymous" | "session" | "key";
  scopes: Array<"read" | "write" | "admin">;
  rate_limit_rpm: number;
  user: {
    /** A UUIDv7. */
    id: string;
    email: string;
    /** viewer reads, operator also writes, admin does everything. */
    role: "viewer" | "operator" | "admin";
    must_change_password: boolean;
  } | null;
  key: {
    /** A UUIDv7. */
    id: string;
    name: string;
  } | null;
  /** The collections this key is bound to; null: it is not bound. */
  collections: string[] | null;
  /** What holds for this key and for the person behind it, and what is used. */
  quotas: QuotaReport[];
  /** Name of the OpenID provider one may sign in with; null: none. */
  sign_in_with: string | null;
}

export interface Page {
  /** A UUIDv7. */
  id: string;
  url: string;
  domain: string;
  status: "never_crawled" | "fetched" | "failed" | "blocked";
  http_status: number | null;
  final_url: string | null;
  content_type: string | null;
  content_length: number | null;
  title: string | null;
  description: string | null;
  language: string | null;
  /** Another address of its domain that it says its content belongs to. */
  canonical_url: string | null;
  duplicate_of: string | null;
  links_count: number;
  visits: number;
  changes: number;
  error_count: number;
  error_code: string | null;
  fetch_ms: number | null;
  discovered_at: string;
  last_crawled_at: string | null;
  last_changed_at: string | null;
  next_crawl_at: string | null;
}

export interface PageDetail {
  /** A UUIDv7. */
  id: string;
  url: string;
  domain: string;
  status: "never_crawled" | "fetched" | "failed" | "blocked";
  http_status: number | null;
  final_url: string | null;
  content_type: string | null;
  content_length: number | null;
  title: string | null;
  description: string | null;
  language: string | null;
  /** Another address of its domain that it says its content belongs to. */
  canonical_url: string | null;
  duplicate_of: string | null;
  links_count: number;
  visits: number;
  changes: number;
  error_count: number;
  error_code: string | null;
  fetch_ms: number | null;
  discovered_at: string;
  last_crawled_at: string | null;
  last_changed_at: string | null;
  next_crawl_at: string | null;
  document_id: string | null;
  product_id: string | null;
  etag: string | null;
  last_modified: string | null;
  links: Array<{
    url: string;
    text: string;
    rel: string;
  }>;
}

export interface PageDiff {
  from: {
    version: number;
    title: string | null;
    fetched_at: string;
  };
  to: {
    version: number;
    title: string | null;
    fetched_at: string;
  };
  /** Lines. */
  added: number;
  removed: number;
  changes: Array<{
    kind: "same" | "added" | "removed";
    text: string;
  }>;
}

export interface PageVersion {
  version: number;
  title: string | null;
  content_hash: string;
  content_length: number;
  fetched_at: string;
}

export interface PasswordLink {
  /** On this server, such as /login#invite=…. Shown this once; it works once. */
  path: string;
  expires_at: string;
}

export interface Pdf {
  /** A UUIDv7. */
  id: string;
  /** Where it was taken, after redirects. */
  url: string;
  status: number;
  title: string;
  /** Bytes. */
  size: number;
  /** True: it was made for an earlier request, or for one at the same time. */
  cached: boolean;
  captured_at: string;
  /** When it is removed. */
  expires_at: string;
  /** A signed link to the bytes: whoever has it may download them. */
  link: string;
  link_expires_at: string;
  content_type: "application/pdf";
  /** The document. */
  data?: string;
}

export interface PdfInput {
  url: string;
  /** A CSS selector that must match before it is taken. */
  wait_for?: string;
  /** Further time for a page that is slow to settle. */
  wait_seconds?: number;
  timeout_ms?: number;
  viewport?: {
    width: number;
    height: number;
  };
  /** Make a new one, also when the same was requested within MEDIA__CACHE_S (an hour). */
  fresh?: boolean;
  /** Whether `data` holds the bytes; the link is there in any case. */
  inline?: boolean;
  format?: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid";
  landscape?: boolean;
}

export interface PriceEntry {
  seen_at: string;
  price: string | null;
  regular_price: string | null;
  currency: string | null;
  availability: "in_stock" | "out_of_stock" | "preorder" | "backorder" | "discontinued" | "limited" | null;
}

export interface Product {
  /** A UUIDv7. */
  id: string;
  url: string;
  domain: string;
  page_id: string | null;
  name: string | null;
  description: string | null;
  price: string | null;
  /** The price it is marked down from. */
  regular_price: string | null;
  /** ISO 4217. */
  currency: string | null;
  availability: "in_stock" | "out_of_stock" | "preorder" | "backorder" | "discontinued" | "limited" | null;
  /** 0 to 5. */
  rating: number | null;
  review_count: number | null;
  brand: string | null;
  /** From the widest to the narrowest. */
  category: string[];
  sku: string | null;
  gtin: string | null;
  mpn: string | null;
  image: string | null;
  confidence: number;
  /** Rules this product breaks, and fields that are uncertain. */
  issues: string[];
  parser: string;
  parser_version: string;
  first_seen_at: string;
  /** When a fact last changed. */
  updated_at: string;
  checked_at: string;
  /** Since when its page is no longer there. */
  gone_at: string | null;
}

export interface ProductDetail {
  /** A UUIDv7. */
  id: string;
  url: string;
  domain: string;
  page_id: string | null;
  name: string | null;
  description: string | null;
  price: string | null;
  /** The price it is marked down from. */
  regular_price: string | null;
  /** ISO 4217. */
  currency: string | null;
  availability: "in_stock" | "out_of_stock" | "preorder" | "backorder" | "discontinued" | "limited" | null;
  /** 0 to 5. */
  rating: number | null;
  review_count: number | null;
  brand: string | null;
  /** From the widest to the narrowest. */
  category: string[];
  sku: string | null;
  gtin: string | null;
  mpn: string | null;
  image: string | null;
  confidence: number;
  /** Rules this product breaks, and fields that are uncertain. */
  issues: string[];
  parser: string;
  parser_version: string;
  first_seen_at: string;
  /** When a fact last changed. */
  updated_at: string;
  checked_at: string;
  /** Since when its page is no longer there. */
  gone_at: string | null;
  /** Where each fact came from. */
  origins: Record<string, {
    source: string;
    confidence: number;
  }>;
  variants: Array<{
    name?: string;
    sku?: string;
    price?: string;
    availability?: "in_stock" | "out_of_stock" | "preorder" | "backorder" | "discontinued" | "limited";
  }>;
  images: Array<{
    url: string;
    alt: string | null;
    kind: "primary" | "gallery" | "thumbnail";
    media_type: string | null;
    width: number | null;
    height: number | null;
    bytes: number | null;
    error_code: string | null;
  }>;
}

export interface ProductImage {
  /** A UUIDv7. */
  id: string;
  /** Where the page had it from. */
  url: string;
  alt: string | null;
  position: number;
  kind: "primary" | "gallery" | "thumbnail";
  /** What its bytes are; null until it is fetched. */
  media_type: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  /** DUPLICATE_CONTENT: the same bytes as another image of the product. */
  error_code: string | null;
  fetched_at: string | null;
  /** A signed link to its bytes, good for MEDIA__LINK_S; null: they are not stored. */
  link: string | null;
}

export interface Proxy {
  /** A UUIDv7. */
  id: string;
  name: string;
  url: string;
  username: string | null;
  has_password: boolean;
  country_code: string | null;
  city: string | null;
  provider: string | null;
  monthly_cost: number | null;
  /** Null: no limit. */
  max_requests_per_hour: number | null;
  /** Requests that are left of this hour. */
  hour_left: number | null;
  is_active: boolean;
  /** Who turned it off: failures do so by themselves, and only those come back by themselves. */
  off_by: "person" | "health" | null;
  /** Failures in a row. */
  failure_count: number;
  success_count: number;
  avg_response_ms: number | null;
  last_used_at: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  checked_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ProxyTest {
  ok: boolean;
  /** What the target answered. */
  status: number | null;
  response_ms: number;
  code: string | null;
  error: string | null;
}

export interface QuotaReport {
  /** Whose quota it is: of this key, or of the person over all their keys. */
  holder: "key" | "user";
  open_crawls: {
    /** Null: no limit. */
    limit: number | null;
    used: number;
  };
  pages_per_day: {
    /** Null: no limit. */
    limit: number | null;
    /** Stored today (UTC). */
    used: number;
    /** What open crawls may still fetch: it is set aside for them. */
    held: number;
    resets_at: string;
  };
}

export interface Readiness {
  /** degraded: the API works, a part of it does not. */
  status: "ok" | "degraded" | "down";
  checks: Record<string, {
    /** The name of the engine, as its driver gives it. */
    engine: string;
    status: "ok" | "down" | "off";
    /** How long the answer took. */
    ms: number;
  }>;
}

export interface ReconcileAnswer {
  chunks: number;
  /** Chunks whose vector is still to be made. */
  waiting: number;
  fulltext: {
    /** Chunks the database has and the index lacks. */
    missing: number;
    /** Rows the index has and the database does not. */
    orphaned: number;
  };
  vectors: {
    /** Chunks the database has and the index lacks. */
    missing: number;
    /** Rows the index has and the database does not. */
    orphaned: number;
  };
  repaired: boolean;
}

export interface ReindexAnswer {
  queued: number;
}

export interface ScoreUrlsInput {
  urls: Array<string | {
    url: string;
    title?: string;
    /** Anchor text, or what else is known about it. */
    text?: string;
  }>;
  query: string;
  /** What scores less is left out. */
  score_threshold?: number;
}

export interface ScoredUrls {
  /** Best first. */
  results: Array<{
    url: string;
    score: number;
  }>;
}

export interface ScrapeInput {
  url: string;
  /** Whether a browser runs scripts; auto: where the page is empty without. */
  render?: "never" | "auto" | "always";
  /** How long to wait for the turn of the site. */
  timeout_ms?: number;
  /** Also answer the response as it came. */
  include_body?: boolean;
}

export interface ScrapedPage {
  /** Where it was found, after redirects. */
  url: string;
  status: number;
  title: string;
  language: string | null;
  /** What kind of page it seems to be: article, product, listing … */
  kind: string;
  /** The main content. */
  markdown: string;
  /** The same without markup. */
  text: string;
  canonical: string | null;
  /** What the page says about itself. */
  metadata: Record<string, unknown>;
  headings: Array<{
    level: number;
    text: string;
  }>;
  links: Array<{
    url: string;
    text: string;
    rel: string;
  }>;
  product: Record<string, unknown> | null;
  /** With include_body: the bytes of the response. */
  body?: string;
}

export interface Screenshot {
  /** A UUIDv7. */
  id: string;
  /** Where it was taken, after redirects. */
  url: string;
  status: number;
  title: string;
  /** Bytes. */
  size: number;
  /** True: it was made for an earlier request, or for one at the same time. */
  cached: boolean;
  captured_at: string;
  /** When it is removed. */
  expires_at: string;
  /** A signed link to the bytes: whoever has it may download them. */
  link: string;
  link_expires_at: string;
  content_type: "image/png";
  /** The picture. */
  data?: string;
}

export interface ScreenshotInput {
  url: string;
  /** A CSS selector that must match before it is taken. */
  wait_for?: string;
  /** Further time for a page that is slow to settle. */
  wait_seconds?: number;
  timeout_ms?: number;
  viewport?: {
    width: number;
    height: number;
  };
  /** Make a new one, also when the same was requested within MEDIA__CACHE_S (an hour). */
  fresh?: boolean;
  /** Whether `data` holds the bytes; the link is there in any case. */
  inline?: boolean;
  /** Down to the end, not only what shows. */
  full_page?: boolean;
}

export interface SearchRequest {
  /** Words; "a phrase" must occur, word* stands for its beginnings, -word must not occur. 1,000 characters. */
  query: string;
  /** Only documents of these collections. */
  collection_ids?: string[];
  /** Only documents with one of these tags. */
  tag_ids?: string[];
  /** Tags by name. */
  tags?: string[];
  /** Only these documents. */
  document_ids?: string[];
  domains?: string[];
  /** Fetched at or after. */
  date_from?: string;
  /** Fetched at or before. */
  date_to?: string;
  source_types?: Array<"crawl" | "upload" | "api">;
  content_types?: Array<"prose" | "code" | "table" | "list">;
  languages?: string[];
  /** Hits with a lower score are left out. Scores of hybrid search are 0 to 1, .5 being the average candidate; of vectors -1 to 1. */
  min_score?: number;
  /** How both lists become one: by how far a hit stands out (scores), or by rank alone (rrf). */
  fusion?: "scores" | "rrf";
  /** The k of rrf, 60 by default; giving it chooses rrf. */
  rrf_k?: number;
  vector_weight?: number;
  keyword_weight?: number;
  use_reranker?: boolean;
  rerank_top_n?: number;
  /** Also return the neighbouring chunks; same as expand: neighbours. */
  expand_chunks?: boolean;
  expand?: "none" | "neighbours" | "section";
  /** Only the best chunk of every document. */
  collapse?: boolean;
  /** Documents that are nearly the same. fold: the best of them stands for all; list: their addresses too; show: each for itself. */
  duplicates?: "fold" | "list" | "show";
  explain?: boolean;
  limit?: number;
  cursor?: string;
  /** The filters, kept together. */
  filters?: {
    collection_ids?: string[] | null;
    tag_ids?: string[] | null;
    domains?: string[] | null;
    date_from?: string | null;
    date_to?: string | null;
    source_types?: Array<"crawl" | "upload" | "api"> | null;
  };
}

export interface SearchResponse {
  results: SearchResult[];
  /** Hits among the best candidates, not all matches there may be. */
  total_count: number;
  next_cursor: string | null;
  /** What was really searched. */
  mode: "hybrid" | "vector" | "keyword";
  degraded: boolean;
  degraded_reason: string | null;
  reranked: boolean;
  result_cached: boolean;
  query_embedding_cached: boolean;
  latency_ms: number;
  explain?: Record<string, unknown>;
}

export interface SearchResult {
  /** A UUIDv7. */
  document_id: string;
  /** A UUIDv7. */
  chunk_id: string;
  url: string;
  title: string | null;
  domain: string;
  collection_id: string | null;
  content: string;
  score: number;
  vector_score: number | null;
  vector_rank: number | null;
  keyword_score: number | null;
  keyword_rank: number | null;
  rerank_score: number | null;
  /** Which engine found it. */
  source: "vector" | "keyword" | "fused";
  /** [start, end) in content. */
  highlights: Array<[number, number]>;
  section_header: string | null;
  heading_path: string[];
  content_type: "prose" | "code" | "table" | "list";
  language: string | null;
  chunk_index: number;
  /** Where the chunk starts in the document's content. */
  start_char: number;
  end_char: number;
  fetched_at: string;
  /** SHA-256 of the document's text. */
  content_hash: string;
  /** The address with a text fragment that scrolls to the passage. */
  citation: string;
  expanded_chunks: string[] | null;
  /** Other documents it stands for, nearly the same as its own. */
  duplicate_count: number;
  /** Their first 50 addresses, where `duplicates: list` asked for them. */
  duplicate_urls: string[] | null;
}

export interface Session {
  /** A UUIDv7. */
  id: string;
  ip: string | null;
  user_agent: string | null;
  created_at: string;
  /** To the minute. */
  last_seen_at: string;
  /** 24 hours after the last use, 30 days after the log-in at the latest. */
  expires_at: string;
  /** The session this request came with. */
  current: boolean;
}

export interface SignedInUser {
  /** A UUIDv7. */
  id: string;
  email: string;
  /** viewer reads, operator also writes, admin does everything. */
  role: "viewer" | "operator" | "admin";
}

export interface Silence {
  /** A UUIDv7. */
  id: string;
  kind: string | null;
  subject: string | null;
  reason: string | null;
  created_by: string;
  created_at: string;
  until: string;
}

export interface Source {
  /** A UUIDv7. */
  id: string;
  name: string;
  url: string;
  crawl_config_id: string | null;
  collection_id: string | null;
  options: CrawlOptions;
  /** Headers that are sent along; their values are never shown. */
  header_names: string[];
  /** Where those headers are sent. */
  header_origins: string[];
  schedule_cron: string | null;
  time_zone: string;
  is_active: boolean;
  next_run_at: string | null;
  /** A run is due since then and waits for the end of the last one. */
  waiting_since: string | null;
  /** When its latest crawl began. */
  last_crawled_at: string | null;
  /** Why the latest run could not start. */
  last_error: string | null;
  /** Who added it: its runs count for them. */
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface Stats {
  pages: number;
  documents: number;
  chunks: number;
  products: number;
  domains: number;
  sources: number;
  /** By status. */
  crawls: Record<string, number>;
  /** By status. */
  jobs: Record<string, number>;
  tasks_open: number;
  /** The dead-letter list, counted up to 100,000. */
  tasks_failed: number;
  /** Documents that wait for the indexer, counted up to 100,000. */
  outbox: number;
  /** Seen within two minutes. */
  workers: number;
}

export interface Tag {
  /** A UUIDv7. */
  id: string;
  name: string;
  created_at: string;
}

export interface Task {
  /** A UUIDv7. */
  id: string;
  /** A UUIDv7. */
  crawl_id: string;
  domain: string;
  parent_id: string | null;
  url: string;
  status: "pending" | "queued" | "crawling" | "downloaded" | "queued_parse" | "parsing" | "completed" | "failed" | "skipped" | "paused" | "cancelled";
  priority: number;
  depth: number;
  score: number | null;
  attempt: number;
  failures: number;
  max_retries: number;
  worker_id: string | null;
  http_status: number | null;
  /** Why it was not fetched, or what went wrong last. */
  code: string | null;
  message: string | null;
  response_ms: number | null;
  is_recurring: boolean;
  interval_s: number | null;
  visit: number;
  quarantined: boolean;
  /** How often it was tried again by itself after it had failed for good. */
  dlq_retries: number;
  /** When a failed task is tried again by itself, if its crawl still goes on. */
  retry_at: string | null;
  /** The response is stored: restart-parsing needs no fetch. */
  has_raw: boolean;
  created_by: string;
  due_at: string;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  completed_at: string | null;
}

export interface TasksMoved {
  /** How many tasks took the step. */
  moved: number;
}

export interface Timeseries {
  metric: "crawls_created" | "crawls_completed" | "crawls_failed" | "pages_discovered" | "pages_crawled" | "pages_failed" | "pages_skipped" | "documents_changed" | "documents_gone" | "price_changes" | "alerts_raised" | "responses_2xx" | "responses_3xx" | "responses_4xx" | "responses_5xx" | "responses_none" | "bytes";
  domain: string | null;
  /** Seconds. */
  step: number;
  from: string;
  to: string;
  /** The start of each step (steps begin at multiples of their length since 1970, UTC) and the sum in it. */
  points: Array<[string, number]>;
}

export interface UpdateApiKey {
  name?: string;
  rate_limit_rpm?: number;
  /** Null: it does not expire. */
  expires_at?: string | null;
  /** Binds the key to these collections: it sees nothing else. Empty: it is not bound. */
  collections?: string[];
  /** False: it does not work until this is true again. */
  is_active?: boolean;
  /** Crawls open at once. Null: the default of the settings. 0: no limit. */
  max_open_crawls?: number | null;
  /** Pages stored in a UTC day. Null: the default of the settings. 0: no limit. */
  max_pages_per_day?: number | null;
}

export interface UploadDocument {
  /** Where it is from; any name will do. Uploading the same again makes a new version. */
  url?: string;
  title?: string | null;
  collection_id?: string | null;
  tags?: string[];
  metadata?: Record<string, unknown>;
  language?: string;
  content?: string;
  /** For PDF and other bytes. */
  content_base64?: string;
  content_type?: "text/plain" | "text/markdown" | "text/html" | "application/pdf";
}

export interface UploadDocuments {
  documents: Array<{
    /** A UUIDv7. */
    id: string;
    url: string;
    version: number;
    created: boolean;
    /** False when the same content was there already. */
    changed: boolean;
    /** The name of the file, where files were sent. */
    file?: string;
  } | {
    error: string;
    code: string;
    /** The name of the file, where files were sent. */
    file?: string;
  }>;
  uploaded: number;
  failed: number;
}

export interface UploadedDocument {
  /** A UUIDv7. */
  id: string;
  url: string;
  version: number;
  created: boolean;
  /** False when the same content was there already. */
  changed: boolean;
}

export interface User {
  /** A UUIDv7. */
  id: string;
  email: string;
  /** viewer reads, operator also writes, admin does everything. */
  role: "viewer" | "operator" | "admin";
  /** False: neither the person nor a key of the person gets in. */
  is_active: boolean;
  has_password: boolean;
  /** Has signed in with the OpenID provider before. */
  has_provider: boolean;
  /** Until when the invite or reset link works; null: there is none. */
  link_expires_at: string | null;
  created_at: string;
  updated_at: string;
  last_login_at: string | null;
}

export interface UserQuotas {
  /** A UUIDv7. */
  user_id: string;
  /** Crawls open at once. Null: the default of the settings. 0: no limit. */
  max_open_crawls: number | null;
  /** Pages stored in a UTC day. Null: the default of the settings. 0: no limit. */
  max_pages_per_day: number | null;
  in_force: {
    open_crawls: {
      /** Null: no limit. */
      limit: number | null;
      used: number;
    };
    pages_per_day: {
      /** Null: no limit. */
      limit: number | null;
      /** Stored today (UTC). */
      used: number;
      /** What open crawls may still fetch: it is set aside for them. */
      held: number;
      resets_at: string;
    };
  };
}

export interface Webhook {
  /** A UUIDv7. */
  id: string;
  /** Set for the webhook of a source. */
  source_id: string | null;
  /** Set for the webhook that came with a crawl. Neither: it hears of everything. */
  crawl_id: string | null;
  /** Parts that may be secret are masked; sent back as it is, the address stays. */
  url: string;
  /** What is sent along; the values may be secret and are not shown. */
  header_names: string[];
  events: string[];
  filter: WebhookFilterOutput;
  is_active: boolean;
  disabled_reason: string | null;
  /** No message was delivered since. */
  failing_since: string | null;
  /** Until then, the secret before the present one signs as well. */
  previous_secret_until: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookDelivery {
  /** A UUIDv7. */
  id: string;
  /** A UUIDv7. */
  webhook_id: string;
  crawl_id: string | null;
  event: string;
  payload: Record<string, unknown>;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  /** It is given up after so many. */
  max_attempts: number;
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  response_status: number | null;
  /** Its first 1,000 characters. */
  response_body: string | null;
  error: string | null;
  created_at: string;
}

/** Only events that fit all that is given. Alerts and events of webhooks are about no page and always fit. */
export interface WebhookFilter {
  /** Hosts, with those below them: example.com holds www.example.com too. */
  domains?: string[];
  collection_ids?: string[];
  source_ids?: string[];
  /** As include_patterns of a crawl: * stands for anything, | parts alternatives. */
  url_pattern?: string;
  /** For product.price_changed alone: smaller changes of the price are left out. */
  min_price_change_percent?: number;
}

/** Only events that fit all that is given. Alerts and events of webhooks are about no page and always fit. */
export interface WebhookFilterOutput {
  /** Hosts, with those below them: example.com holds www.example.com too. */
  domains?: string[];
  collection_ids?: string[];
  source_ids?: string[];
  /** As include_patterns of a crawl: * stands for anything, | parts alternatives. */
  url_pattern?: string;
  /** For product.price_changed alone: smaller changes of the price are left out. */
  min_price_change_percent?: number;
}

export interface WebhookOutput {
  /** A UUIDv7. */
  id: string;
  /** Set for the webhook of a source. */
  source_id: string | null;
  /** Set for the webhook that came with a crawl. Neither: it hears of everything. */
  crawl_id: string | null;
  /** Parts that may be secret are masked; sent back as it is, the address stays. */
  url: string;
  /** What is sent along; the values may be secret and are not shown. */
  header_names: string[];
  events: string[];
  filter: WebhookFilterOutput;
  is_active: boolean;
  disabled_reason: string | null;
  /** No message was delivered since. */
  failing_since: string | null;
  /** Until then, the secret before the present one signs as well. */
  previous_secret_until: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookWithSecret {
  /** A UUIDv7. */
  id: string;
  /** Set for the webhook of a source. */
  source_id: string | null;
  /** Set for the webhook that came with a crawl. Neither: it hears of everything. */
  crawl_id: string | null;
  /** Parts that may be secret are masked; sent back as it is, the address stays. */
  url: string;
  /** What is sent along; the values may be secret and are not shown. */
  header_names: string[];
  events: string[];
  filter: WebhookFilterOutput;
  is_active: boolean;
  disabled_reason: string | null;
  /** No message was delivered since. */
  failing_since: string | null;
  /** Until then, the secret before the present one signs as well. */
  previous_secret_until: string | null;
  created_at: string;
  updated_at: string;
  /** Shown this once. */
  secret: string;
}

export interface WebhookWithSecretOutput {
  /** A UUIDv7. */
  id: string;
  /** Set for the webhook of a source. */
  source_id: string | null;
  /** Set for the webhook that came with a crawl. Neither: it hears of everything. */
  crawl_id: string | null;
  /** Parts that may be secret are masked; sent back as it is, the address stays. */
  url: string;
  /** What is sent along; the values may be secret and are not shown. */
  header_names: string[];
  events: string[];
  filter: WebhookFilterOutput;
  is_active: boolean;
  disabled_reason: string | null;
  /** No message was delivered since. */
  failing_since: string | null;
  /** Until then, the secret before the present one signs as well. */
  previous_secret_until: string | null;
  created_at: string;
  updated_at: string;
  /** Shown this once. */
  secret: string;
}

export interface Worker {
  id: string;
  role: string;
  host: string;
  pid: number;
  version: string;
  state: Record<string, unknown>;
  started_at: string;
  seen_at: string;
  is_alive: boolean;
}

export interface ListCrawlsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  status?: "pending" | "running" | "paused" | "completed" | "failed" | "cancelled";
  kind?: "urls" | "batch" | "deep" | "source" | "recurring" | "import";
  /** A UUIDv7. */
  source_id?: string;
  /** Who started them: a person (their keys count), a key, or me. */
  owner?: "me" | string;
}

export interface ListCrawlTasksQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  domain?: string;
  status?: "pending" | "queued" | "crawling" | "downloaded" | "queued_parse" | "parsing" | "completed" | "failed" | "skipped" | "paused" | "cancelled";
  code?: string;
  /** A UUIDv7. */
  parent_id?: string;
  /** Part of the address. */
  url?: string;
}

export interface ListCrawlDocumentsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; found unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "found";
  /** Upwards or downwards; unless told, found: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface PrioritiseCrawlBody {
  priority: number | "high" | "normal" | "low";
}

export interface ListTasksQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  /** A UUIDv7. */
  crawl_id?: string;
  domain?: string;
  status?: "pending" | "queued" | "crawling" | "downloaded" | "queued_parse" | "parsing" | "completed" | "failed" | "skipped" | "paused" | "cancelled";
  code?: string;
  /** A UUIDv7. */
  parent_id?: string;
  /** Part of the address. */
  url?: string;
}

export interface GetTaskStatsQuery {
  /** A UUIDv7. */
  crawl_id?: string;
}

export interface GetTaskStatsAnswer {
  total: number;
  by_status: Record<string, number>;
  /** Why tasks failed or were skipped. */
  by_code: Record<string, number>;
}

export interface RestartFailedTasksBody {
  crawl_id?: string;
  domain?: string;
  code?: string;
  failed_after?: string;
  limit?: number;
}

export interface RestartFailedTasksAnswer {
  restarted: number;
}

export interface GetTaskErrorsAnswer {
  items: Array<{
    /** A UUIDv7. */
    id: string;
    attempt: number;
    category: "network" | "http" | "robots" | "parse" | "validation" | "internal";
    code: string;
    message: string;
    worker_id: string | null;
    occurred_at: string;
  }>;
}

export interface RestartTaskBody {
  priority?: number | "high" | "normal" | "low";
  /** Not before this time. */
  scheduled_at?: string;
  /** Whether it gets all of its retries again; false: its failures so far count. */
  reset_retry_count?: boolean;
}

export interface RestartTaskParsingBody {
  priority?: number | "high" | "normal" | "low";
  /** Not before this time. */
  scheduled_at?: string;
  /** Whether it gets all of its retries again; false: its failures so far count. */
  reset_retry_count?: boolean;
}

export interface PrioritiseTaskBody {
  priority: number | "high" | "normal" | "low";
}

export interface ListFrontierQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** A UUIDv7. */
  crawl_id?: string;
  domain?: string;
  /** ready: domain by domain, what is next first; delayed: retries and planned visits, the soonest first. */
  state?: "ready" | "delayed";
}

export interface AddToFrontierBody {
  urls: string[];
  /** An open crawl these belong to; absent: a new one. */
  crawl_id?: string;
  priority?: number | "high" | "normal" | "low";
  /** How deep they count as; links are followed from there. */
  depth?: number;
  /** How deep a new crawl goes; absent: 2. */
  max_depth?: number;
  /** How many pages a new crawl takes; absent: 100. */
  max_pages?: number;
}

export interface SeedFrontierBody {
  urls: string[];
  /** An open crawl these belong to; absent: a new one. */
  crawl_id?: string;
  /** How deep they count as; links are followed from there. */
  depth?: number;
  /** How deep a new crawl goes; absent: 2. */
  max_depth?: number;
  /** How many pages a new crawl takes; absent: 100. */
  max_pages?: number;
}

export interface RecoverFrontierAnswer {
  recovered: number;
}

export interface ClearFrontierQuery {
  /** A UUIDv7. */
  crawl_id?: string;
  domain?: string;
}

export interface ClearFrontierAnswer {
  cancelled: number;
}

export interface ListPagesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; discovered unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "discovered" | "visited";
  /** Upwards or downwards; unless told, discovered: desc, visited: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  domain?: string;
  status?: "never_crawled" | "fetched" | "failed" | "blocked";
  /** Part of the address or title. */
  query?: string;
}

export interface DeletePagesBody {
  ids?: string[];
  domain?: string;
  /** Only pages last visited before this time. */
  before?: string;
}

export interface DeletePagesAnswer {
  deleted: number;
}

export interface ListPageVersionsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; version unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "version";
  /** Upwards or downwards; unless told, version: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface DiffPageQuery {
  /** Absent: the version before `to`. */
  from?: number;
  /** Absent: the newest version. */
  to?: number;
}

export interface ReindexBody {
  /** model: only what has no vector of the model in the settings. */
  scope?: "all" | "collection" | "document" | "model";
  /** The collection or document. */
  id?: string;
  /** Make vectors again too, even where the text is unchanged. */
  vectors?: boolean;
}

export interface ReconcileIndexBody {
  /** Delete what should not be there, and index again what is missing. */
  repair?: boolean;
}

export interface ListDocumentsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created" | "updated";
  /** Upwards or downwards; unless told, created: desc, updated: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  domain?: string;
  collection_id?: string;
  tag_id?: string;
  source?: "crawl" | "upload" | "api";
  language?: string;
  /** Part of the address or title. */
  query?: string;
  /** List those whose page is no longer there instead; they are not found by searches. */
  gone?: string | boolean;
  /** List what was deleted instead. */
  deleted?: string | boolean;
}

export interface UploadDocumentsBody {
  documents: UploadDocument[];
}

export interface MoveDocumentBody {
  /** Null takes it out of its collection. */
  collection_id: string | null;
}

export interface ListDocumentChunksQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; position unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "position";
  /** Upwards or downwards; unless told, position: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface TagDocumentBody {
  /** Names; unknown ones are made. */
  tags: string[];
}

export interface ListCapturesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  kind?: "screenshot" | "pdf" | "scripts";
  /** The address as it was requested. */
  url?: string;
}

export interface ListProductsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created" | "updated" | "price";
  /** Upwards or downwards; unless told, created: desc, updated: desc, price: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  domain?: string;
  /** Words of the name, brand or description. */
  query?: string;
  brand?: string;
  /** Any level of the category path. */
  category?: string;
  availability?: "in_stock" | "out_of_stock" | "preorder" | "backorder" | "discontinued" | "limited";
  currency?: string;
  min_price?: number;
  max_price?: number;
  min_rating?: number;
  min_confidence?: number;
  sku?: string;
  gtin?: string;
  /** List those whose page is no longer there instead. */
  gone?: string | boolean;
}

export interface ListProductPricesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; seen unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "seen";
  /** Upwards or downwards; unless told, seen: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface ListProductImagesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; position unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "position";
  /** Upwards or downwards; unless told, position: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface GetParserReportQuery {
  days?: number;
  domain?: string;
  parser?: string;
  limit?: number;
}

export interface GetParserReportAnswer {
  items: Array<{
    parser: string;
    parser_version: string;
    domain: string;
    /** On trial beside the parser in force. */
    shadow: boolean;
    /** Product pages it was asked to read. */
    pages: number;
    /** Pages it gave a usable product for. */
    parsed: number;
    success_rate: number;
    /** Pages where the trial says something else. */
    differs: number;
    first_day: string;
    last_day: string;
    /** The newest pages that differ, field by field. */
    samples: Array<{
      url: string;
      differences: Array<{
        field: string;
        live: unknown;
        shadow: unknown;
      }>;
    }>;
  }>;
}

export interface ReplayPagesBody {
  domain?: string;
  /** Visited at this time or later. */
  since?: string;
  /** Visited before this time. */
  until?: string;
  /** Pages whose product this parser read; "name@version" for one version of it. */
  parser?: string;
  limit?: number;
  /** Only count. */
  dry_run?: boolean;
}

export interface ReplayPagesAnswer {
  dry_run: boolean;
  /** Pages that are read again, or would be. */
  pages: number;
  domains: Array<{
    domain: string;
    pages: number;
  }>;
}

export interface ListExportsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface ListImportsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface StartImportQuery {
  /** What the archive is called; shown with its crawl. */
  name?: string;
  /** Its documents are filed there. */
  collection_id?: string;
  /** Its documents get these tags; in a query separated by commas. */
  tags?: string[] | string;
}

export interface ListCollectionsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created" | "name";
  /** Upwards or downwards; unless told, created: desc, name: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface CreateCollectionBody {
  name: string;
  description?: string | null;
}

export interface UpdateCollectionBody {
  name: string;
  description?: string | null;
}

export interface ListTagsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; name unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "name" | "created";
  /** Upwards or downwards; unless told, name: asc, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface CreateTagBody {
  name: string;
}

export interface ListCrawlConfigsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created" | "name";
  /** Upwards or downwards; unless told, created: desc, name: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface CreateCrawlConfigBody {
  name: string;
  options?: CrawlOptionsInput;
  strategy?: "bfs" | "dfs" | "best_first";
  /** How many links away from the start; 0 is the start alone. */
  max_depth?: number;
  max_pages?: number;
  /** Where links may lead: the same site (default), host, folder, or anywhere. */
  scope?: "domain" | "host" | "path" | "any";
  /** Only addresses that match one; * stands for anything, a pattern that starts with / is held against the path. */
  include_patterns?: string[];
  exclude_patterns?: string[];
  follow_nofollow?: boolean;
  /** Also start from the site’s sitemaps. */
  use_sitemap?: boolean;
  /** Requests per second to a domain, where that is less than the domain allows; for this crawl alone. */
  rate_limit_rps?: number;
  respect_robots_txt?: boolean;
  /** Whether a browser runs the page’s scripts; auto: when it is empty without. */
  render?: "never" | "auto" | "always";
  /** Where a browser runs: a CSS selector that has to match first. */
  wait_for?: string;
  page_timeout_ms?: number;
  max_page_size_mb?: number;
  max_redirects?: number;
  /** Reuse what was fetched at most this long ago. */
  max_age_s?: number;
  /** Languages whose pages are kept; * for all. */
  languages?: string[];
  only_main_content?: boolean;
  include_selectors?: string[];
  exclude_selectors?: string[];
  products?: boolean;
  chunking_strategy?: "markdown" | "sentence" | "sliding_window";
  /** Tokens a chunk has at most, title and heading included; more than the model reads at once is refused. No chunk exceeds 10 KB. */
  chunk_size?: number;
  chunk_overlap?: number;
  min_chunk_size?: number;
  /** Plan the next visit of each page after it was fetched. */
  recurring?: boolean;
  /** Time between visits to start with; it adapts to how often a page changes. */
  interval_s?: number;
  max_retries?: number;
  /** Write an event for each page, besides those of the crawl. */
  page_events?: boolean;
  /** Sent to the origins they are for, and nowhere else. Absent on a change: the stored ones stay. */
  headers?: Record<string, string>;
  /** The origin the headers are for. Absent: those of the addresses in the request; a config has to name it. */
  headers_origin?: string;
  /** markdown: the main content, as always; structured: `products` too; raw: not `only_main_content`. */
  extraction_strategy?: "markdown" | "structured" | "raw";
}

export interface UpdateCrawlConfigBody {
  name: string;
  options?: CrawlOptionsInput;
  strategy?: "bfs" | "dfs" | "best_first";
  /** How many links away from the start; 0 is the start alone. */
  max_depth?: number;
  max_pages?: number;
  /** Where links may lead: the same site (default), host, folder, or anywhere. */
  scope?: "domain" | "host" | "path" | "any";
  /** Only addresses that match one; * stands for anything, a pattern that starts with / is held against the path. */
  include_patterns?: string[];
  exclude_patterns?: string[];
  follow_nofollow?: boolean;
  /** Also start from the site’s sitemaps. */
  use_sitemap?: boolean;
  /** Requests per second to a domain, where that is less than the domain allows; for this crawl alone. */
  rate_limit_rps?: number;
  respect_robots_txt?: boolean;
  /** Whether a browser runs the page’s scripts; auto: when it is empty without. */
  render?: "never" | "auto" | "always";
  /** Where a browser runs: a CSS selector that has to match first. */
  wait_for?: string;
  page_timeout_ms?: number;
  max_page_size_mb?: number;
  max_redirects?: number;
  /** Reuse what was fetched at most this long ago. */
  max_age_s?: number;
  /** Languages whose pages are kept; * for all. */
  languages?: string[];
  only_main_content?: boolean;
  include_selectors?: string[];
  exclude_selectors?: string[];
  products?: boolean;
  chunking_strategy?: "markdown" | "sentence" | "sliding_window";
  /** Tokens a chunk has at most, title and heading included; more than the model reads at once is refused. No chunk exceeds 10 KB. */
  chunk_size?: number;
  chunk_overlap?: number;
  min_chunk_size?: number;
  /** Plan the next visit of each page after it was fetched. */
  recurring?: boolean;
  /** Time between visits to start with; it adapts to how often a page changes. */
  interval_s?: number;
  max_retries?: number;
  /** Write an event for each page, besides those of the crawl. */
  page_events?: boolean;
  /** Sent to the origins they are for, and nowhere else. Absent on a change: the stored ones stay. */
  headers?: Record<string, string>;
  /** The origin the headers are for. Absent: those of the addresses in the request; a config has to name it. */
  headers_origin?: string;
  /** markdown: the main content, as always; structured: `products` too; raw: not `only_main_content`. */
  extraction_strategy?: "markdown" | "structured" | "raw";
}

export interface ListSourcesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created" | "name" | "next_run";
  /** Upwards or downwards; unless told, created: desc, name: asc, next_run: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  active?: string;
  /** A UUIDv7. */
  collection_id?: string;
  /** Part of the name or address. */
  query?: string;
}

export interface CreateSourceBody {
  name: string;
  /** Where each run starts. */
  url?: string;
  crawl_config_id?: string | null;
  collection_id?: string | null;
  /** Wins over the config. */
  options?: CrawlOptionsInput;
  /** Absent: only when triggered. */
  schedule_cron?: string | null;
  time_zone?: string;
  is_active?: boolean;
  /** Another name for url. */
  url_pattern?: string;
}

export interface UpdateSourceBody {
  name: string;
  /** Where each run starts. */
  url?: string;
  crawl_config_id?: string | null;
  collection_id?: string | null;
  /** Wins over the config. */
  options?: CrawlOptionsInput;
  /** Absent: only when triggered. */
  schedule_cron?: string | null;
  time_zone?: string;
  is_active?: boolean;
  /** Another name for url. */
  url_pattern?: string;
}

export interface ListWebhooksQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface CreateWebhookBody {
  url: string;
  /** Absent on a change: the stored ones stay while the origin does. */
  headers?: Record<string, string>;
  /** Names of events. crawl.* stands for all of a group and * for all; crawl.page is many messages and has to be named itself. completed, failed and cancelled are other names for crawl.completed and so on. */
  events?: Array<"crawl.started" | "crawl.completed" | "crawl.failed" | "crawl.cancelled" | "document.changed" | "document.gone" | "product.price_changed" | "source.run" | "alert.raised" | "alert.cleared" | "webhook.disabled" | "crawl.page" | "*" | "crawl.*" | "document.*" | "product.*" | "source.*" | "alert.*" | "webhook.*" | "completed" | "failed" | "cancelled">;
  filter?: WebhookFilter;
  /** Turning it on forgets why it was turned off. */
  is_active?: boolean;
  /** Absent: one is made. */
  secret?: string;
}

export interface ListGlobalWebhooksQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface CreateGlobalWebhookBody {
  url: string;
  /** Absent on a change: the stored ones stay while the origin does. */
  headers?: Record<string, string>;
  /** Names of events. crawl.* stands for all of a group and * for all; crawl.page is many messages and has to be named itself. completed, failed and cancelled are other names for crawl.completed and so on. */
  events?: Array<"crawl.started" | "crawl.completed" | "crawl.failed" | "crawl.cancelled" | "document.changed" | "document.gone" | "product.price_changed" | "source.run" | "alert.raised" | "alert.cleared" | "webhook.disabled" | "crawl.page" | "*" | "crawl.*" | "document.*" | "product.*" | "source.*" | "alert.*" | "webhook.*" | "completed" | "failed" | "cancelled">;
  filter?: WebhookFilter;
  /** Turning it on forgets why it was turned off. */
  is_active?: boolean;
  /** Absent: one is made. */
  secret?: string;
}

export interface GetWebhookSecretAnswer {
  secret: string;
}

export interface RotateWebhookSecretBody {
  /** How long the old secret signs as well. */
  overlap_s?: number;
}

export interface RotateWebhookSecretAnswer {
  secret: string;
}

export interface UpdateWebhookBody {
  url: string;
  /** Absent on a change: the stored ones stay while the origin does. */
  headers?: Record<string, string>;
  /** Names of events. crawl.* stands for all of a group and * for all; crawl.page is many messages and has to be named itself. completed, failed and cancelled are other names for crawl.completed and so on. */
  events?: Array<"crawl.started" | "crawl.completed" | "crawl.failed" | "crawl.cancelled" | "document.changed" | "document.gone" | "product.price_changed" | "source.run" | "alert.raised" | "alert.cleared" | "webhook.disabled" | "crawl.page" | "*" | "crawl.*" | "document.*" | "product.*" | "source.*" | "alert.*" | "webhook.*" | "completed" | "failed" | "cancelled">;
  filter?: WebhookFilter;
  /** Turning it on forgets why it was turned off. */
  is_active?: boolean;
}

export interface RotateSecretOfWebhookBody {
  /** Absent: one is made. */
  secret?: string;
  /** How long the old secret signs as well. */
  overlap_s?: number;
}

export interface ListWebhookDeliveriesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  status?: "pending" | "delivered" | "failed";
}

export interface ListCrawlDeliveriesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  status?: "pending" | "delivered" | "failed";
}

export interface ListEventsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; position unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "position";
  /** Upwards or downwards; unless told, position: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  /** Only these kinds, separated by commas: crawl.completed,crawl.failed. crawl.* stands for all of a group. */
  kinds?: string;
  /** A UUIDv7. */
  crawl_id?: string;
  /** Written at this time or later. */
  since?: string;
  /** Written before this time. */
  until?: string;
  /** Behind this position of the log: what happened since an event you have. */
  after?: number;
}

export interface StreamEventsQuery {
  /** Only these kinds, separated by commas: crawl.completed,crawl.failed. crawl.* stands for all of a group. */
  kinds?: string;
}

export interface ListDomainsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; domain unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "domain";
  /** Upwards or downwards; unless told, domain: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  /** Only the blocked ones, or only the others. */
  blocked?: string;
  /** Part of the name. */
  query?: string;
}

export interface UpdateDomainBody {
  rate_limit_rps?: number | null;
  max_concurrency?: number | null;
  autothrottle?: boolean;
  maintenance_windows?: Array<{
    /** 0 is Sunday; absent: every day. */
    days?: number[];
    from: string;
    /** Before `from`: the window runs over midnight. */
    to: string;
    time_zone?: string;
  }>;
  user_agent?: string | null;
  parser?: string | null;
  shadow_parser?: string | null;
  /** Time between visits to start with, for recurring crawls that name none. */
  recrawl_interval_s?: number | null;
  /** round_robin: in the order of assignment; lru: the one that rested longest; least_used: the fewest requests; random. */
  proxy_strategy?: "round_robin" | "least_used" | "random" | "lru";
  /** Only proxies of this country are used. */
  proxy_country?: string | null;
  uses_proxies?: boolean;
  circuit_threshold?: number | null;
  circuit_timeout_s?: number | null;
  /** As POST /domains/{domain}/block and unblock. */
  is_blocked?: boolean;
  /** Another name for circuit_threshold. */
  circuit_breaker_threshold?: number | null;
  /** Another name for circuit_timeout_s. */
  circuit_breaker_timeout_s?: number | null;
}

export interface BlockDomainBody {
  reason?: string;
}

export interface RestartDomainTasksBody {
  /** Which tasks start over. */
  statuses?: Array<"completed" | "failed" | "skipped" | "cancelled" | "paused">;
  priority?: number | "high" | "normal" | "low";
  /** Not before this time. */
  scheduled_at?: string;
  limit?: number;
}

export interface PrioritiseDomainTasksBody {
  priority: number | "high" | "normal" | "low";
}

export interface ListProxiesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created" | "name";
  /** Upwards or downwards; unless told, created: desc, name: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  active?: string;
  country_code?: string;
}

export interface CreateProxyBody {
  name: string;
  /** http, https or socks5; a user name and password in it are kept apart. */
  url?: string;
  username?: string | null;
  /** Absent on a change: the stored one stays while address and user name do. */
  password?: string | null;
  country_code?: string | null;
  city?: string | null;
  provider?: string | null;
  /** In whatever currency you count; for your own records. */
  monthly_cost?: number | null;
  /** Over all domains together; absent or null: no limit. */
  max_requests_per_hour?: number | null;
  /** As POST /proxies/{id}/enable and disable; absent: a new one is on. */
  is_active?: boolean;
  /** Address, user name and password, as a list of one. */
  servers?: Array<{
    url: string;
    username?: string | null;
    password?: string | null;
  }>;
  /** Rotation is set for each domain: see its proxy_strategy. */
  rotation_strategy?: "round_robin";
}

export interface TestProxyBody {
  /** A stored proxy; the outcome counts for its health. */
  proxy_id?: string;
  /** Or any proxy, with its credentials. */
  url?: string;
  /** What is fetched through it. */
  target_url?: string;
  timeout_ms?: number;
}

export interface UpdateProxyBody {
  name: string;
  /** http, https or socks5; a user name and password in it are kept apart. */
  url?: string;
  username?: string | null;
  /** Absent on a change: the stored one stays while address and user name do. */
  password?: string | null;
  country_code?: string | null;
  city?: string | null;
  provider?: string | null;
  /** In whatever currency you count; for your own records. */
  monthly_cost?: number | null;
  /** Over all domains together; absent or null: no limit. */
  max_requests_per_hour?: number | null;
  /** As POST /proxies/{id}/enable and disable; absent: a new one is on. */
  is_active?: boolean;
  /** Address, user name and password, as a list of one. */
  servers?: Array<{
    url: string;
    username?: string | null;
    password?: string | null;
  }>;
  /** Rotation is set for each domain: see its proxy_strategy. */
  rotation_strategy?: "round_robin";
}

export interface AssignDomainProxiesBody {
  proxy_ids: string[];
  priority?: number | "high" | "normal" | "low";
}

export interface UpdateDomainProxyBody {
  is_active?: boolean;
  priority?: number | "high" | "normal" | "low";
}

export interface ListAlertsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  /** open: firing or acknowledged. Absent: past ones too. */
  status?: "open" | "firing" | "acknowledged" | "resolved";
  severity?: "info" | "warning" | "critical";
  kind?: string;
}

export interface ListSilencesQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface GetTimeseriesQuery {
  /** Figures of pages (responses, bytes) may be asked for by domain. */
  metric: "crawls_created" | "crawls_completed" | "crawls_failed" | "pages_discovered" | "pages_crawled" | "pages_failed" | "pages_skipped" | "documents_changed" | "documents_gone" | "price_changes" | "alerts_raised" | "responses_2xx" | "responses_3xx" | "responses_4xx" | "responses_5xx" | "responses_none" | "bytes";
  /** Absent: a day before `to`. */
  from?: string;
  /** Absent: now. */
  to?: string;
  /** Such as 1m, 15m, 1h, 1d. Absent: what suits the time asked for. */
  step?: string;
  /** One of the busiest 20 of a minute. */
  domain?: string;
}

export interface ListDomainFiguresQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; pages_fetched unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "pages_fetched";
  /** Upwards or downwards; unless told, pages_fetched: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface ListJobsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  kind?: string;
  status?: "pending" | "running" | "completed" | "failed" | "cancelled";
}

export interface ListFailedJobsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  kind?: string;
}

export interface LogInBody {
  email: string;
  password: string;
}

export interface LogInAnswer {
  /** Send it in X-Session-Key with every request: the cookie alone is no session. */
  session_key: string;
  user: SignedInUser;
}

export interface ChangePasswordBody {
  current_password: string;
  new_password: string;
}

export interface ChangePasswordAnswer {
  /** Send it in X-Session-Key with every request: the cookie alone is no session. */
  session_key: string;
}

export interface CreateLoginLinkAnswer {
  path: string;
}

export interface RedeemLoginLinkBody {
  token: string;
}

export interface RedeemLoginLinkAnswer {
  /** Send it in X-Session-Key with every request: the cookie alone is no session. */
  session_key: string;
}

export interface RedeemInviteBody {
  /** What stands behind invite= or reset= in the link. */
  token: string;
  password: string;
}

export interface RedeemInviteAnswer {
  /** Send it in X-Session-Key with every request: the cookie alone is no session. */
  session_key: string;
  user: SignedInUser;
}

export interface ListApiKeysQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  /** Whether they can be used now. */
  active?: string | boolean;
  /** The person they belong to. */
  owner?: string;
}

export interface CreateApiKeyBody {
  name: string;
  scopes?: Array<"read" | "write" | "admin">;
  rate_limit_rpm?: number;
  /** Absent: the key does not expire. */
  expires_at?: string;
  /** Binds the key to these collections: it sees nothing else. Empty: it is not bound. */
  collections?: string[];
  /** Crawls open at once. Null: the default of the settings. 0: no limit. */
  max_open_crawls?: number | null;
  /** Pages stored in a UTC day. Null: the default of the settings. 0: no limit. */
  max_pages_per_day?: number | null;
}

export interface ListOwnKeysQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  /** Whether they can be used now. */
  active?: string | boolean;
}

export interface CreateOwnKeyBody {
  name: string;
  scopes?: Array<"read" | "write" | "admin">;
  rate_limit_rpm?: number;
  /** Absent: the key does not expire. */
  expires_at?: string;
  /** Binds the key to these collections: it sees nothing else. Empty: it is not bound. */
  collections?: string[];
  /** Crawls open at once. Null: the default of the settings. 0: no limit. */
  max_open_crawls?: number | null;
  /** Pages stored in a UTC day. Null: the default of the settings. 0: no limit. */
  max_pages_per_day?: number | null;
}

export interface SetUserQuotasBody {
  /** Crawls open at once. Null: the default of the settings. 0: no limit. */
  max_open_crawls: number | null;
  /** Pages stored in a UTC day. Null: the default of the settings. 0: no limit. */
  max_pages_per_day: number | null;
}

export interface FinishSignInBody {
  /** The query the provider sent the browser back with. */
  query: string;
}

export interface FinishSignInAnswer {
  /** Send it in X-Session-Key with every request: the cookie alone is no session. */
  session_key: string;
  user: SignedInUser;
}

export interface ListMySessionsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface EndMyOtherSessionsAnswer {
  deleted: number;
}

export interface ListUsersQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created" | "email";
  /** Upwards or downwards; unless told, created: desc, email: asc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
  /** viewer reads, operator also writes, admin does everything; user is another name for viewer. */
  role?: "viewer" | "operator" | "admin" | "user";
  active?: string;
  /** The whole address, in any case. */
  email?: string;
}

export interface CreateUserBody {
  email: string;
  /** viewer reads, operator also writes, admin does everything; user is another name for viewer. */
  role?: "viewer" | "operator" | "admin" | "user";
}

export interface UpdateUserBody {
  email?: string;
  /** Holds from the next request on, for open sessions too. */
  role?: "viewer" | "operator" | "admin" | "user";
  /** False ends all sessions at once, and keys of the person stop working. */
  is_active?: boolean;
}

export interface ListUserSessionsQuery {
  /** Entries per page, 1 to 200. */
  limit?: number;
  /** next_cursor of the page before. */
  cursor?: string;
  /** What the list is ordered by; created unless told. Entries that have no such value are left out. A cursor holds for the sort and order it came from. */
  sort?: "created";
  /** Upwards or downwards; unless told, created: desc. */
  order?: "asc" | "desc";
  /** true: the answer has total, counted with the same filters. Counting a large list takes its time. */
  total?: string | boolean;
}

export interface EndUserSessionsAnswer {
  deleted: number;
}

/** Every operation of the API. */
export const createApi = (call: Call, follow: Follow) => ({
  /** Ask for pages and whole sites, and watch them come in. */
  crawls: {
    /** Fetch one or more pages. Each address is fetched once; links are not followed. */
    start: (body: CrawlRequest, options?: CallOptions): Promise<Crawl> =>
      call('POST', '/api/v1/crawl', { body, creates: true }, options),
    /** Fetch up to 100 pages as one batch. Addresses that cannot be taken are named in `refused`; the others are fetched. */
    startBatch: (body: BatchCrawlRequest, options?: CallOptions): Promise<BatchCrawl> =>
      call('POST', '/api/v1/crawl/batch', { body, creates: true }, options),
    /** Walk through a site from one page */
    startDeep: (body: DeepCrawlRequest, options?: CallOptions): Promise<Crawl> =>
      call('POST', '/api/v1/crawl/deep', { body, creates: true }, options),
    /** List crawls */
    list: (query?: ListCrawlsQuery, options?: CallOptions): Promise<ListPage<Crawl>> =>
      call('GET', '/api/v1/crawls', { query }, options),
    /** Show a crawl and its progress */
    get: (id: string, options?: CallOptions): Promise<Crawl> =>
      call('GET', `/api/v1/crawl/${part(id)}`, {}, options),
    /** List the pages of a crawl, fetched or not, and why */
    listTasks: (id: string, query?: ListCrawlTasksQuery, options?: CallOptions): Promise<ListPage<Task>> =>
      call('GET', `/api/v1/crawl/${part(id)}/tasks`, { query }, options),
    /** List what a crawl brought in, with the content */
    listDocuments: (id: string, query?: ListCrawlDocumentsQuery, options?: CallOptions): Promise<ListPage<CrawlDocument>> =>
      call('GET', `/api/v1/crawl/${part(id)}/documents`, { query }, options),
    /** Follow a crawl as server-sent events. Starts with `crawl.snapshot`, the crawl as it is; then each event of the crawl under its kind, and `end` when the crawl is over. The id of an event is its number within the crawl: with Last-Event-ID, every event after that one is sent and nothing else. */
    follow: <Data = unknown>(id: string, options: FollowOptions = {}): AsyncGenerator<StreamEvent<Data>> =>
      follow({ stream: `/api/v1/crawl/${part(id)}/stream`, socket: `/api/v1/ws/crawl/${part(id)}`, query: [] }, options),
    /** Change the priority of a crawl and of all that waits in it */
    prioritise: (id: string, body: PrioritiseCrawlBody, options?: CallOptions): Promise<Crawl> =>
      call('PATCH', `/api/v1/crawl/${part(id)}/priority`, { body }, options),
    /** Cancel a crawl. What waits is dropped; what is being fetched is not kept. */
    cancel: (id: string, options?: CallOptions): Promise<Crawl> =>
      call('POST', `/api/v1/crawl/${part(id)}/cancel`, {}, options),
    /** Pause a crawl. What waits stays where it is until the crawl is resumed. */
    pause: (id: string, options?: CallOptions): Promise<Crawl> =>
      call('POST', `/api/v1/crawl/${part(id)}/pause`, {}, options),
    /** Resume a crawl. Goes on where it was paused. */
    resume: (id: string, options?: CallOptions): Promise<Crawl> =>
      call('POST', `/api/v1/crawl/${part(id)}/resume`, {}, options),
    /** Fetch all pages of a crawl again. Its tasks start over; what is known stays. */
    restart: (id: string, options?: CallOptions): Promise<Crawl> =>
      call('POST', `/api/v1/crawl/${part(id)}/restart`, {}, options),
  },
  /** One URL inside a crawl: its state, its errors, and control over it. */
  tasks: {
    /** List tasks */
    list: (query?: ListTasksQuery, options?: CallOptions): Promise<ListPage<Task>> =>
      call('GET', '/api/v1/tasks', { query }, options),
    /** Count tasks by status and by reason */
    getStats: (query?: GetTaskStatsQuery, options?: CallOptions): Promise<GetTaskStatsAnswer> =>
      call('GET', '/api/v1/tasks/stats', { query }, options),
    /** Try failed tasks again: all of them, or what the filter names */
    restartFailed: (body?: RestartFailedTasksBody, options?: CallOptions): Promise<RestartFailedTasksAnswer> =>
      call('POST', '/api/v1/tasks/restart-failed', { body }, options),
    /** Show a task */
    get: (id: string, options?: CallOptions): Promise<Task> =>
      call('GET', `/api/v1/tasks/${part(id)}`, {}, options),
    /** Show what went wrong, attempt by attempt */
    getErrors: (id: string, options?: CallOptions): Promise<GetTaskErrorsAnswer> =>
      call('GET', `/api/v1/tasks/${part(id)}/errors`, {}, options),
    /** Fetch a page again */
    restart: (id: string, body?: RestartTaskBody, options?: CallOptions): Promise<Task> =>
      call('POST', `/api/v1/tasks/${part(id)}/restart`, { body }, options),
    /** Read the stored response of a page again, without a fetch */
    restartParsing: (id: string, body?: RestartTaskParsingBody, options?: CallOptions): Promise<Task> =>
      call('POST', `/api/v1/tasks/${part(id)}/restart-parsing`, { body }, options),
    /** Pause a task */
    pause: (id: string, options?: CallOptions): Promise<Task> =>
      call('POST', `/api/v1/tasks/${part(id)}/pause`, {}, options),
    /** Resume a task */
    resume: (id: string, options?: CallOptions): Promise<Task> =>
      call('POST', `/api/v1/tasks/${part(id)}/resume`, {}, options),
    /** Cancel a task */
    cancel: (id: string, options?: CallOptions): Promise<Task> =>
      call('POST', `/api/v1/tasks/${part(id)}/cancel`, {}, options),
    /** Change the priority of a task */
    prioritise: (id: string, body: PrioritiseTaskBody, options?: CallOptions): Promise<Task> =>
      call('PATCH', `/api/v1/tasks/${part(id)}/priority`, { body }, options),
  },
  /** What waits to be fetched. */
  frontier: {
    /** How much waits, and where */
    getStats: (options?: CallOptions): Promise<FrontierStats> =>
      call('GET', '/api/v1/frontier/stats', {}, options),
    /** List what waits */
    list: (query?: ListFrontierQuery, options?: CallOptions): Promise<ListPage<Task>> =>
      call('GET', '/api/v1/frontier/urls', { query }, options),
    /** Add addresses. To an open crawl, or as a crawl of their own. What cannot be taken is listed with its reason. */
    add: (body: AddToFrontierBody, options?: CallOptions): Promise<FrontierAnswer> =>
      call('POST', '/api/v1/frontier/add', { body, creates: true }, options),
    /** Add addresses that go before all others. Ten requests a minute. */
    seed: (body: SeedFrontierBody, options?: CallOptions): Promise<FrontierAnswer> =>
      call('POST', '/api/v1/frontier/seed', { body, creates: true }, options),
    /** Bring back what lost workers held. The scheduler does this by itself every few seconds. */
    recover: (options?: CallOptions): Promise<RecoverFrontierAnswer> =>
      call('POST', '/api/v1/frontier/recover', {}, options),
    /** Cancel what waits: of a crawl, of a domain, or everywhere */
    clear: (query?: ClearFrontierQuery, options?: CallOptions): Promise<ClearFrontierAnswer> =>
      call('DELETE', '/api/v1/frontier', { query }, options),
  },
  /** What is known about each address. */
  pages: {
    /** List pages */
    list: (query?: ListPagesQuery, options?: CallOptions): Promise<ListPage<Page>> =>
      call('GET', '/api/v1/pages', { query }, options),
    /** Forget pages. By ids, by domain, or by age; their documents leave the search at once. */
    delete: (body: DeletePagesBody, options?: CallOptions): Promise<DeletePagesAnswer> =>
      call('DELETE', '/api/v1/pages', { body }, options),
    /** Show a page with its links */
    get: (id: string, options?: CallOptions): Promise<PageDetail> =>
      call('GET', `/api/v1/pages/${part(id)}`, {}, options),
    /** List the versions of a page’s content */
    listVersions: (id: string, query?: ListPageVersionsQuery, options?: CallOptions): Promise<ListPage<PageVersion>> =>
      call('GET', `/api/v1/pages/${part(id)}/versions`, { query }, options),
    /** What changed between two versions */
    diff: (id: string, query?: DiffPageQuery, options?: CallOptions): Promise<PageDiff> =>
      call('GET', `/api/v1/pages/${part(id)}/diff`, { query }, options),
    /** Download the response a page was read from. The bytes as the site sent them, without compression; always as a download. What the site called them is in `X-Original-Content-Type`. Takes a Range of bytes. `RAW_MISSING` when nothing is stored. */
    downloadResponse: (id: string, options?: CallOptions): Promise<Response> =>
      call('GET', `/api/v1/pages/${part(id)}/raw`, { raw: true }, options),
  },
  /** Hybrid, vector and keyword search with citations. */
  search: {
    /** Search by meaning and by words. Falls back to words alone, and says so, when embedder or vector engine do not answer. */
    search: (body: SearchRequest, options?: CallOptions): Promise<SearchResponse> =>
      call('POST', '/api/v1/search', { body }, options),
    /** Search by meaning alone */
    searchByVector: (body: SearchRequest, options?: CallOptions): Promise<SearchResponse> =>
      call('POST', '/api/v1/search/vector', { body }, options),
    /** Search by words alone */
    searchByKeyword: (body: SearchRequest, options?: CallOptions): Promise<SearchResponse> =>
      call('POST', '/api/v1/search/keyword', { body }, options),
    /** Show how far the index is */
    getIndexProgress: (options?: CallOptions): Promise<IndexProgress> =>
      call('GET', '/api/v1/index', {}, options),
    /** Index documents again */
    reindex: (body?: ReindexBody, options?: CallOptions): Promise<ReindexAnswer> =>
      call('POST', '/api/v1/index/reindex', { body }, options),
    /** Compare the index with the database */
    reconcileIndex: (body?: ReconcileIndexBody, options?: CallOptions): Promise<ReconcileAnswer> =>
      call('POST', '/api/v1/index/reconcile', { body }, options),
  },
  /** The readable content of pages and uploads. */
  documents: {
    /** List documents */
    list: (query?: ListDocumentsQuery, options?: CallOptions): Promise<ListPage<Document>> =>
      call('GET', '/api/v1/documents', { query }, options),
    /** Upload a document. Markdown, text, HTML, or PDF as base64; or a file as multipart/form-data. The same address, or a file of the same name, makes a new version. */
    upload: (body: UploadDocument | FormData, options?: CallOptions): Promise<UploadedDocument> =>
      call('POST', '/api/v1/documents', { body, creates: true }, options),
    /** Upload up to 50 documents. As JSON, or as files in multipart/form-data. One that cannot be read does not hold up the others; the answer says which. */
    uploadDocuments: (body: UploadDocumentsBody | FormData, options?: CallOptions): Promise<UploadDocuments> =>
      call('POST', '/api/v1/documents/batch', { body, creates: true }, options),
    /** Show a document with its content */
    get: (id: string, options?: CallOptions): Promise<DocumentDetail> =>
      call('GET', `/api/v1/documents/${part(id)}`, {}, options),
    /** Move a document to another collection */
    move: (id: string, body: MoveDocumentBody, options?: CallOptions): Promise<Document> =>
      call('PATCH', `/api/v1/documents/${part(id)}`, { body }, options),
    /** Delete a document. It is gone from search at once, and can be restored until retention removes it for good. */
    delete: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/documents/${part(id)}`, {}, options),
    /** Bring a deleted document back */
    restore: (id: string, options?: CallOptions): Promise<Document> =>
      call('POST', `/api/v1/documents/${part(id)}/restore`, {}, options),
    /** Download the file a document was uploaded as. Always as a download. Takes a Range of bytes. */
    downloadFile: (id: string, options?: CallOptions): Promise<Response> =>
      call('GET', `/api/v1/documents/${part(id)}/file`, { raw: true }, options),
    /** List the passages of a document */
    listChunks: (id: string, query?: ListDocumentChunksQuery, options?: CallOptions): Promise<ListPage<Chunk>> =>
      call('GET', `/api/v1/documents/${part(id)}/chunks`, { query }, options),
    /** Index a document again, with the model in force */
    reindex: (id: string, options?: CallOptions): Promise<ReindexAnswer> =>
      call('POST', `/api/v1/documents/${part(id)}/reindex`, {}, options),
    /** Put tags on a document */
    tag: (id: string, body: TagDocumentBody, options?: CallOptions): Promise<Document> =>
      call('POST', `/api/v1/documents/${part(id)}/tags`, { body }, options),
    /** Take a tag off a document */
    untag: (id: string, tagId: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/documents/${part(id)}/tags/${part(tagId)}`, {}, options),
  },
  /** Find the addresses of a site before crawling it. */
  discover: {
    /** Look for the addresses of a site. Asks sitemaps, feeds, the links of the home page or the Common Crawl index; the result is read by id. */
    start: (body: DiscoveryInput, options?: CallOptions): Promise<Discovery> =>
      call('POST', '/api/v1/discover', { body, creates: true }, options),
    /** Score addresses against a query */
    scoreUrls: (body: ScoreUrlsInput, options?: CallOptions): Promise<ScoredUrls> =>
      call('POST', '/api/v1/discover/score', { body }, options),
    /** Show a discovery and what it found */
    get: (id: string, options?: CallOptions): Promise<Discovery> =>
      call('GET', `/api/v1/discover/${part(id)}`, {}, options),
  },
  /** Screenshots, PDFs and scripts in a real browser. */
  media: {
    /** Take a picture of a page. It is stored, and the answer holds a signed link to it. The same request within MEDIA__CACHE_S (an hour) is answered from the store (`cached`), unless it says `fresh`. */
    captureScreenshot: (body: ScreenshotInput, options?: CallOptions): Promise<Screenshot> =>
      call('POST', '/api/v1/screenshot', { body }, options),
    /** Print a page. It is stored, and the answer holds a signed link to it. The same request within MEDIA__CACHE_S (an hour) is answered from the store (`cached`), unless it says `fresh`. */
    capturePdf: (body: PdfInput, options?: CallOptions): Promise<Pdf> =>
      call('POST', '/api/v1/pdf', { body }, options),
    /** Run scripts in a page. It is stored, and the answer holds a signed link to it. The same request within MEDIA__CACHE_S (an hour) is answered from the store (`cached`), unless it says `fresh`. What scripts returned is only given to the caller that sent them. */
    executeScripts: (body: ExecuteScriptsInput, options?: CallOptions): Promise<ExecutedScripts> =>
      call('POST', '/api/v1/execute-js', { body }, options),
    /** List stored screenshots, prints and script results */
    listCaptures: (query?: ListCapturesQuery, options?: CallOptions): Promise<ListPage<Capture>> =>
      call('GET', '/api/v1/captures', { query }, options),
    /** Show a capture, with a new link to it */
    getCapture: (id: string, options?: CallOptions): Promise<Capture> =>
      call('GET', `/api/v1/captures/${part(id)}`, {}, options),
    /** Forget a capture. It answers no request any more. Links that were given out work until they expire. */
    deleteCapture: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/captures/${part(id)}`, {}, options),
    /** Read one page, keep nothing. The page is fetched now, as politely as a crawl would; what it holds is answered and not stored. */
    scrapePage: (body: ScrapeInput, options?: CallOptions): Promise<ScrapedPage> =>
      call('POST', '/api/v1/scrape', { body }, options),
    /** Download what a signed link leads to. Exports, captures and backups give such links. Whoever has one may use it until it expires. Takes a Range of bytes. */
    downloadBlob: (token: string, options?: CallOptions): Promise<Response> =>
      call('GET', `/api/v1/blobs/${part(token)}`, { raw: true }, options),
  },
  /** Structured data of product pages, with price history. */
  products: {
    /** List products. Prices are compared as numbers, so name a currency beside them; sorting by price needs one. */
    list: (query?: ListProductsQuery, options?: CallOptions): Promise<ListPage<Product>> =>
      call('GET', '/api/v1/products', { query }, options),
    /** Show a product: where each fact came from, its variants and images */
    get: (id: string, options?: CallOptions): Promise<ProductDetail> =>
      call('GET', `/api/v1/products/${part(id)}`, {}, options),
    /** List what a product cost, one entry per change */
    listPrices: (id: string, query?: ListProductPricesQuery, options?: CallOptions): Promise<ListPage<PriceEntry>> =>
      call('GET', `/api/v1/products/${part(id)}/history`, { query }, options),
    /** List the images of a product, with links to those that are stored */
    listImages: (id: string, query?: ListProductImagesQuery, options?: CallOptions): Promise<ListPage<ProductImage>> =>
      call('GET', `/api/v1/products/${part(id)}/images`, { query }, options),
    /** Download an image of a product. PNG, JPEG, GIF, WebP and AVIF under their own type, anything else as plain bytes. Takes a Range of bytes. */
    downloadImage: (id: string, imageId: string, options?: CallOptions): Promise<Response> =>
      call('GET', `/api/v1/products/${part(id)}/images/${part(imageId)}`, { raw: true }, options),
    /** Show how well parsers read each domain, and what a parser on trial would change */
    getParserReport: (query?: GetParserReportQuery, options?: CallOptions): Promise<GetParserReportAnswer> =>
      call('GET', '/api/v1/parsers/report', { query }, options),
  },
  /** Health, figures, workers and background jobs. */
  admin: {
    /** Read stored responses again. With the extractor and parsers of today, by domain, time or parser. No page is fetched. */
    replayPages: (body?: ReplayPagesBody, options?: CallOptions): Promise<ReplayPagesAnswer> =>
      call('POST', '/api/v1/replays', { body }, options),
    /** Is the process alive */
    getHealth: (options?: CallOptions): Promise<Health> =>
      call('GET', '/api/v1/health', {}, options),
    /** Do the engines answer. Answers 503 when the database does not: nothing works then. Other engines only degrade it. */
    getReadiness: (options?: CallOptions): Promise<Readiness> =>
      call('GET', '/api/v1/health/ready', {}, options),
    /** Figures of the installation */
    getStats: (options?: CallOptions): Promise<Stats> =>
      call('GET', '/api/v1/stats', {}, options),
    /** A figure over time. Sums per step, without gaps, 2,000 points at most. Figures are a few seconds old, those of pages two minutes. */
    getTimeseries: (query: GetTimeseriesQuery, options?: CallOptions): Promise<Timeseries> =>
      call('GET', '/api/v1/stats/timeseries', { query }, options),
    /** The busiest domains */
    listDomainFigures: (query?: ListDomainFiguresQuery, options?: CallOptions): Promise<ListPage<DomainFigures>> =>
      call('GET', '/api/v1/stats/domains', { query }, options),
    /** The processes of this installation */
    listWorkers: (options?: CallOptions): Promise<ListPage<Worker>> =>
      call('GET', '/api/v1/workers', {}, options),
    /** List background jobs */
    listJobs: (query?: ListJobsQuery, options?: CallOptions): Promise<ListPage<Job>> =>
      call('GET', '/api/v1/jobs', { query }, options),
    /** List failed jobs */
    listFailedJobs: (query?: ListFailedJobsQuery, options?: CallOptions): Promise<ListPage<Job>> =>
      call('GET', '/api/v1/jobs/failed', { query }, options),
    /** Show a job */
    getJob: (id: string, options?: CallOptions): Promise<Job> =>
      call('GET', `/api/v1/jobs/${part(id)}`, {}, options),
    /** End a job that waits or runs */
    cancelJob: (id: string, options?: CallOptions): Promise<Job> =>
      call('POST', `/api/v1/jobs/${part(id)}/cancel`, {}, options),
    /** Start a failed job over */
    retryJob: (id: string, options?: CallOptions): Promise<Job> =>
      call('POST', `/api/v1/jobs/${part(id)}/retry`, {}, options),
  },
  /** Take data out as files, and archives of other crawlers in. */
  exports: {
    /** Download rows as a file. JSON Lines, CSV, Parquet, Markdown files in a zip, or a WARC archive, streamed as it is read, with the filters of the matching list. Rows come newest first; `cursor` takes the id of the last row that arrived. A failure on the way breaks the connection off: a download that ends is whole. */
    exportRows: (options?: CallOptions): Promise<Response> =>
      call('GET', '/api/v1/export', { raw: true }, options),
    /** List exports */
    list: (query?: ListExportsQuery, options?: CallOptions): Promise<ListPage<Export>> =>
      call('GET', '/api/v1/exports', { query }, options),
    /** Make an export in the background. For large ones: its file is kept until the export is deleted. */
    start: (body: ExportRequest, options?: CallOptions): Promise<Export> =>
      call('POST', '/api/v1/exports', { body, creates: true }, options),
    /** Show an export, with a link to its file */
    get: (id: string, options?: CallOptions): Promise<Export> =>
      call('GET', `/api/v1/exports/${part(id)}`, {}, options),
    /** Delete an export and its file. One that is under way ends. */
    delete: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/exports/${part(id)}`, {}, options),
    /** List imports */
    listImports: (query?: ListImportsQuery, options?: CallOptions): Promise<ListPage<Import>> =>
      call('GET', '/api/v1/imports', { query }, options),
    /** Import a WARC or WACZ archive. The body is the archive. Its pages are read as if they had been fetched when the archive says; nothing is requested from their sites. Importing the same archive again changes nothing. */
    startImport: (body: RawBody, query?: StartImportQuery, options?: CallOptions): Promise<Import> =>
      call('POST', '/api/v1/imports', { body, query, creates: true }, options),
    /** Show an import and its crawl */
    getImport: (id: string, options?: CallOptions): Promise<Import> =>
      call('GET', `/api/v1/imports/${part(id)}`, {}, options),
    /** The llms.txt of a collection */
    getLlmsTxt: (id: string, options?: CallOptions): Promise<Response> =>
      call('GET', `/api/v1/collections/${part(id)}/llms.txt`, { raw: true }, options),
    /** The llms-full.txt of a collection */
    getLlmsFullTxt: (id: string, options?: CallOptions): Promise<Response> =>
      call('GET', `/api/v1/collections/${part(id)}/llms-full.txt`, { raw: true }, options),
  },
  /** Collections, tags and crawl configurations. */
  organise: {
    /** List collections */
    listCollections: (query?: ListCollectionsQuery, options?: CallOptions): Promise<ListPage<Collection>> =>
      call('GET', '/api/v1/collections', { query }, options),
    /** Make a collection */
    createCollection: (body: CreateCollectionBody, options?: CallOptions): Promise<Collection> =>
      call('POST', '/api/v1/collections', { body, creates: true }, options),
    /** Show a collection */
    getCollection: (id: string, options?: CallOptions): Promise<CollectionDetail> =>
      call('GET', `/api/v1/collections/${part(id)}`, {}, options),
    /** Change a collection */
    updateCollection: (id: string, body: UpdateCollectionBody, options?: CallOptions): Promise<Collection> =>
      call('PUT', `/api/v1/collections/${part(id)}`, { body }, options),
    /** Delete a collection. Its documents stay, without a collection. */
    deleteCollection: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/collections/${part(id)}`, {}, options),
    /** List tags */
    listTags: (query?: ListTagsQuery, options?: CallOptions): Promise<ListPage<Tag>> =>
      call('GET', '/api/v1/tags', { query }, options),
    /** Make a tag. Names are lower case. */
    createTag: (body: CreateTagBody, options?: CallOptions): Promise<Tag> =>
      call('POST', '/api/v1/tags', { body, creates: true }, options),
    /** Delete a tag. Its documents stay, without it. */
    deleteTag: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/tags/${part(id)}`, {}, options),
    /** List crawl configurations */
    listCrawlConfigs: (query?: ListCrawlConfigsQuery, options?: CallOptions): Promise<ListPage<CrawlConfig>> =>
      call('GET', '/api/v1/configs', { query }, options),
    /** Make a crawl configuration */
    createCrawlConfig: (body: CreateCrawlConfigBody, options?: CallOptions): Promise<CrawlConfig> =>
      call('POST', '/api/v1/configs', { body, creates: true }, options),
    /** Show a crawl configuration */
    getCrawlConfig: (id: string, options?: CallOptions): Promise<CrawlConfig> =>
      call('GET', `/api/v1/configs/${part(id)}`, {}, options),
    /** Change a crawl configuration. Crawls that run already keep the options they started with. */
    updateCrawlConfig: (id: string, body: UpdateCrawlConfigBody, options?: CallOptions): Promise<CrawlConfig> =>
      call('PUT', `/api/v1/configs/${part(id)}`, { body }, options),
    /** Delete a crawl configuration */
    deleteCrawlConfig: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/configs/${part(id)}`, {}, options),
  },
  /** Sites that are crawled again on a schedule. */
  sources: {
    /** List sources */
    list: (query?: ListSourcesQuery, options?: CallOptions): Promise<ListPage<Source>> =>
      call('GET', '/api/v1/sources', { query }, options),
    /** Add a source */
    create: (body: CreateSourceBody, options?: CallOptions): Promise<Source> =>
      call('POST', '/api/v1/sources', { body, creates: true }, options),
    /** Show a source */
    get: (id: string, options?: CallOptions): Promise<Source> =>
      call('GET', `/api/v1/sources/${part(id)}`, {}, options),
    /** Change a source */
    update: (id: string, body: UpdateSourceBody, options?: CallOptions): Promise<Source> =>
      call('PUT', `/api/v1/sources/${part(id)}`, { body }, options),
    /** Delete a source. Its crawls and documents stay. */
    delete: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/sources/${part(id)}`, {}, options),
    /** Crawl a source now. Its schedule stays as it is. */
    trigger: (id: string, options?: CallOptions): Promise<Crawl> =>
      call('POST', `/api/v1/sources/${part(id)}/trigger`, { creates: true }, options),
  },
  /** Messages to addresses of yours about what happened. */
  webhooks: {
    /** List the webhooks of a source */
    list: (id: string, query?: ListWebhooksQuery, options?: CallOptions): Promise<ListPage<Webhook>> =>
      call('GET', `/api/v1/sources/${part(id)}/webhooks`, { query }, options),
    /** Add a webhook to a source. Messages are signed as Standard Webhooks says; the secret is in this answer and in no other. */
    create: (id: string, body: CreateWebhookBody, options?: CallOptions): Promise<WebhookWithSecret> =>
      call('POST', `/api/v1/sources/${part(id)}/webhooks`, { body, creates: true }, options),
    /** List the webhooks that hear of everything. Those of a source are listed with it, that of a crawl receives what GET /crawl/{id}/deliveries lists. */
    listGlobalWebhooks: (query?: ListGlobalWebhooksQuery, options?: CallOptions): Promise<ListPage<WebhookOutput>> =>
      call('GET', '/api/v1/webhooks', { query }, options),
    /** Add a webhook that hears of everything. Of every crawl and source, as far as `events` and `filter` let it. Messages are signed as Standard Webhooks says; the secret is in this answer and in no other. */
    createGlobalWebhook: (body: CreateGlobalWebhookBody, options?: CallOptions): Promise<WebhookWithSecretOutput> =>
      call('POST', '/api/v1/webhooks', { body, creates: true }, options),
    /** Show the secret that signs for webhooks given with a crawl */
    getSecret: (options?: CallOptions): Promise<GetWebhookSecretAnswer> =>
      call('GET', '/api/v1/webhooks/secret', {}, options),
    /** Change the secret that signs for webhooks given with a crawl. The old one signs as well until the overlap is over. */
    rotateSecret: (body?: RotateWebhookSecretBody, options?: CallOptions): Promise<RotateWebhookSecretAnswer> =>
      call('POST', '/api/v1/webhooks/secret/rotate', { body }, options),
    /** Show a webhook */
    get: (id: string, options?: CallOptions): Promise<WebhookOutput> =>
      call('GET', `/api/v1/webhooks/${part(id)}`, {}, options),
    /** Change a webhook */
    update: (id: string, body: UpdateWebhookBody, options?: CallOptions): Promise<WebhookOutput> =>
      call('PUT', `/api/v1/webhooks/${part(id)}`, { body }, options),
    /** Delete a webhook and its deliveries */
    delete: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/webhooks/${part(id)}`, {}, options),
    /** Change the secret of a webhook. The old one signs as well until the overlap is over. The new one is in this answer and in no other. */
    rotateSecretOfWebhook: (id: string, body?: RotateSecretOfWebhookBody, options?: CallOptions): Promise<WebhookWithSecretOutput> =>
      call('POST', `/api/v1/webhooks/${part(id)}/rotate-secret`, { body, creates: true }, options),
    /** Send a test message now and show how it went */
    test: (id: string, options?: CallOptions): Promise<WebhookDelivery> =>
      call('POST', `/api/v1/webhooks/${part(id)}/test`, {}, options),
    /** List what was sent to a webhook */
    listDeliveries: (id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): Promise<ListPage<WebhookDelivery>> =>
      call('GET', `/api/v1/webhooks/${part(id)}/deliveries`, { query }, options),
    /** Send a message again. Under the same webhook-id, with all its attempts. */
    redeliver: (id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> =>
      call('POST', `/api/v1/webhooks/${part(id)}/deliveries/${part(deliveryId)}/redeliver`, { creates: true }, options),
    /** List what webhooks were told about a crawl */
    listCrawlDeliveries: (id: string, query?: ListCrawlDeliveriesQuery, options?: CallOptions): Promise<ListPage<WebhookDelivery>> =>
      call('GET', `/api/v1/crawl/${part(id)}/deliveries`, { query }, options),
  },
  /** What happened, in the order it happened: the log that streams and webhooks read. */
  events: {
    /** List what happened, over all crawls and beside them. The audit trail (`admin.action`) is among them for admins only. */
    list: (query?: ListEventsQuery, options?: CallOptions): Promise<ListPage<Event>> =>
      call('GET', '/api/v1/events', { query }, options),
    /** Follow everything as server-sent events. Each event under its kind, as it is written. The id of an event is its position in the log: with Last-Event-ID, every event after that one is sent first; without, only what comes from now on. */
    follow: <Data = unknown>(options: FollowOptions & StreamEventsQuery = {}): AsyncGenerator<StreamEvent<Data>> =>
      follow({ stream: '/api/v1/events/stream', socket: '/api/v1/ws/events', query: ["kinds"] }, options),
  },
  /** Politeness and policy per domain. */
  domains: {
    /** List domains */
    list: (query?: ListDomainsQuery, options?: CallOptions): Promise<ListPage<Domain>> =>
      call('GET', '/api/v1/domains', { query }, options),
    /** Show a domain: policy, pace and circuit */
    get: (domain: string, options?: CallOptions): Promise<Domain> =>
      call('GET', `/api/v1/domains/${part(domain)}`, {}, options),
    /** Set the policy of a domain. Only the fields given change; null goes back to the default. The domain need not be known yet. */
    update: (domain: string, body?: UpdateDomainBody, options?: CallOptions): Promise<Domain> =>
      call('PUT', `/api/v1/domains/${part(domain)}`, { body }, options),
    /** Block a domain. Nothing is fetched from it until it is unblocked; what waits, waits. */
    block: (domain: string, body?: BlockDomainBody, options?: CallOptions): Promise<Domain> =>
      call('POST', `/api/v1/domains/${part(domain)}/block`, { body }, options),
    /** Unblock a domain */
    unblock: (domain: string, options?: CallOptions): Promise<Domain> =>
      call('POST', `/api/v1/domains/${part(domain)}/unblock`, {}, options),
    /** Reset a domain. Unblocks it, closes its circuit and forgets the extra delays. */
    reset: (domain: string, options?: CallOptions): Promise<Domain> =>
      call('POST', `/api/v1/domains/${part(domain)}/reset`, {}, options),
    /** Show the robots.txt files of a domain, as kept */
    getRobots: (domain: string, options?: CallOptions): Promise<DomainRobots> =>
      call('GET', `/api/v1/domains/${part(domain)}/robots`, {}, options),
    /** Figures of a domain */
    getStats: (domain: string, options?: CallOptions): Promise<DomainStats> =>
      call('GET', `/api/v1/domains/${part(domain)}/stats`, {}, options),
    /** Pause every task of a domain */
    pauseTasks: (domain: string, options?: CallOptions): Promise<TasksMoved> =>
      call('POST', `/api/v1/domains/${part(domain)}/tasks/pause`, {}, options),
    /** Resume the paused tasks of a domain */
    resumeTasks: (domain: string, options?: CallOptions): Promise<TasksMoved> =>
      call('POST', `/api/v1/domains/${part(domain)}/tasks/resume`, {}, options),
    /** Cancel every task of a domain that is not done */
    cancelTasks: (domain: string, options?: CallOptions): Promise<TasksMoved> =>
      call('POST', `/api/v1/domains/${part(domain)}/tasks/cancel`, {}, options),
    /** Fetch pages of a domain again: the failed ones, or what the statuses name */
    restartTasks: (domain: string, body?: RestartDomainTasksBody, options?: CallOptions): Promise<TasksMoved> =>
      call('POST', `/api/v1/domains/${part(domain)}/tasks/restart`, { body }, options),
    /** Change the priority of all that waits of a domain */
    prioritiseTasks: (domain: string, body: PrioritiseDomainTasksBody, options?: CallOptions): Promise<TasksMoved> =>
      call('PATCH', `/api/v1/domains/${part(domain)}/tasks/priority`, { body }, options),
  },
  /** Proxies, and which domains use them. */
  proxies: {
    /** List proxies */
    list: (query?: ListProxiesQuery, options?: CallOptions): Promise<ListPage<Proxy>> =>
      call('GET', '/api/v1/proxies', { query }, options),
    /** Add a proxy */
    create: (body: CreateProxyBody, options?: CallOptions): Promise<Proxy> =>
      call('POST', '/api/v1/proxies', { body, creates: true }, options),
    /** Fetch a page through a proxy. Answers 200 with ok: false and a code when the proxy does not work. */
    test: (body: TestProxyBody, options?: CallOptions): Promise<ProxyTest> =>
      call('POST', '/api/v1/proxies/test', { body }, options),
    /** Show a proxy */
    get: (id: string, options?: CallOptions): Promise<Proxy> =>
      call('GET', `/api/v1/proxies/${part(id)}`, {}, options),
    /** Change a proxy */
    update: (id: string, body: UpdateProxyBody, options?: CallOptions): Promise<Proxy> =>
      call('PUT', `/api/v1/proxies/${part(id)}`, { body }, options),
    /** Delete a proxy */
    delete: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/proxies/${part(id)}`, {}, options),
    /** Turn a proxy on. Forgives its past failures, for every domain that uses it. */
    enable: (id: string, options?: CallOptions): Promise<Proxy> =>
      call('POST', `/api/v1/proxies/${part(id)}/enable`, {}, options),
    /** Turn a proxy off */
    disable: (id: string, options?: CallOptions): Promise<Proxy> =>
      call('POST', `/api/v1/proxies/${part(id)}/disable`, {}, options),
    /** List the proxies of a domain */
    listDomainProxies: (domain: string, options?: CallOptions): Promise<ListPage<DomainProxy>> =>
      call('GET', `/api/v1/domains/${part(domain)}/proxies`, {}, options),
    /** Give proxies to a domain. From then on its requests go through this pool. Giving one again sets its priority and turns it on. */
    assignDomainProxies: (domain: string, body: AssignDomainProxiesBody, options?: CallOptions): Promise<ListPage<DomainProxy>> =>
      call('POST', `/api/v1/domains/${part(domain)}/proxies`, { body, creates: true }, options),
    /** How the proxies of a domain do */
    getDomainProxyHealth: (domain: string, options?: CallOptions): Promise<DomainProxyHealth> =>
      call('GET', `/api/v1/domains/${part(domain)}/proxies/health`, {}, options),
    /** Change priority or state of a proxy for a domain */
    updateDomainProxy: (domain: string, proxyId: string, body?: UpdateDomainProxyBody, options?: CallOptions): Promise<void> =>
      call('PATCH', `/api/v1/domains/${part(domain)}/proxies/${part(proxyId)}`, { body }, options),
    /** Take a proxy from a domain. When the last one leaves, the domain is fetched directly again. */
    removeDomainProxy: (domain: string, proxyId: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/domains/${part(domain)}/proxies/${part(proxyId)}`, {}, options),
  },
  /** Conditions that somebody should look at. */
  alerts: {
    /** List alerts, those that stand and past ones */
    list: (query?: ListAlertsQuery, options?: CallOptions): Promise<ListPage<Alert>> =>
      call('GET', '/api/v1/alerts', { query }, options),
    /** List the silences in force */
    listSilences: (query?: ListSilencesQuery, options?: CallOptions): Promise<ListPage<Silence>> =>
      call('GET', '/api/v1/alerts/silences', { query }, options),
    /** Raise no such alerts for a while. By rule, by subject, or both; neither silences all. Alerts that stand are left as they are. */
    createSilence: (body?: CreateSilence, options?: CallOptions): Promise<Silence> =>
      call('POST', '/api/v1/alerts/silences', { body, creates: true }, options),
    /** End a silence */
    deleteSilence: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/alerts/silences/${part(id)}`, {}, options),
    /** Show an alert */
    get: (id: string, options?: CallOptions): Promise<Alert> =>
      call('GET', `/api/v1/alerts/${part(id)}`, {}, options),
    /** Note that somebody looks after it */
    acknowledge: (id: string, options?: CallOptions): Promise<Alert> =>
      call('POST', `/api/v1/alerts/${part(id)}/acknowledge`, {}, options),
  },
  /** What is kept to save work; all of it may be cleared. */
  cache: {
    /** Let no stored response answer for a crawl. Crawls with `max_age_s` fetch anew. The responses stay for replays and history. */
    clearCrawlCache: (options?: CallOptions): Promise<Cleared> =>
      call('DELETE', '/api/v1/cache/crawl', {}, options),
    /** Clear kept search answers */
    clearQueryCache: (options?: CallOptions): Promise<Cleared> =>
      call('DELETE', '/api/v1/cache/query', {}, options),
    /** Clear kept vectors of texts and queries */
    clearEmbeddingsCache: (options?: CallOptions): Promise<Cleared> =>
      call('DELETE', '/api/v1/cache/embeddings', {}, options),
    /** Clear what is kept of a domain */
    clearDomainCache: (domain: string, options?: CallOptions): Promise<Cleared> =>
      call('DELETE', `/api/v1/cache/domain/${part(domain)}`, {}, options),
    /** How full the cache is, and how often it helps */
    getStats: (options?: CallOptions): Promise<CacheStats> =>
      call('GET', '/api/v1/cache/stats', {}, options),
  },
  /** Logging in, sessions and API keys. */
  access: {
    /** Log in with email and password. Sets the session cookie, and answers the key that goes with it. Wrong tries slow the next ones down. */
    logIn: (body: LogInBody, options?: CallOptions): Promise<LogInAnswer> =>
      call('POST', '/api/v1/auth/login', { body }, options),
    /** End this session. Without X-Session-Key the request proves no session, so none ends: only the cookie is cleared. DELETE /auth/sessions ends the others. */
    logOut: (options?: CallOptions): Promise<void> =>
      call('POST', '/api/v1/auth/logout', {}, options),
    /** Who am I, what may I do, and how can I log in */
    getMe: (options?: CallOptions): Promise<Me> =>
      call('GET', '/api/v1/auth/me', {}, options),
    /** Change my password. Ends all other sessions of this person. */
    changePassword: (body: ChangePasswordBody, options?: CallOptions): Promise<ChangePasswordAnswer> =>
      call('POST', '/api/v1/auth/password', { body }, options),
    /** Make a link that logs the first admin in. It works once, within the hour; a new one replaces it. */
    createLoginLink: (options?: CallOptions): Promise<CreateLoginLinkAnswer> =>
      call('POST', '/api/v1/auth/login-link', {}, options),
    /** Log in with the token of a link. Works as a login does, once for each link. */
    redeemLoginLink: (body: RedeemLoginLinkBody, options?: CallOptions): Promise<RedeemLoginLinkAnswer> =>
      call('POST', '/api/v1/auth/login-link/redeem', { body }, options),
    /** Choose a password with the token of an invite or reset link, and log in. Works once for each link. Wrong tries slow the next ones down, as with a login. */
    redeemInvite: (body: RedeemInviteBody, options?: CallOptions): Promise<RedeemInviteAnswer> =>
      call('POST', '/api/v1/auth/invite/redeem', { body }, options),
    /** List API keys */
    listApiKeys: (query?: ListApiKeysQuery, options?: CallOptions): Promise<ListPage<ApiKey>> =>
      call('GET', '/api/v1/api-keys', { query }, options),
    /** Make an API key. The key is in this answer and nowhere else: only its hash is kept. It belongs to the person who makes it, also where they use a key for that. */
    createApiKey: (body: CreateApiKeyBody, options?: CallOptions): Promise<CreatedApiKey> =>
      call('POST', '/api/v1/api-keys', { body, creates: true }, options),
    /** Show an API key */
    getApiKey: (id: string, options?: CallOptions): Promise<ApiKey> =>
      call('GET', `/api/v1/api-keys/${part(id)}`, {}, options),
    /** Change an API key. What is absent stays. Its scopes cannot be changed: make another key. */
    updateApiKey: (id: string, body?: UpdateApiKey, options?: CallOptions): Promise<ApiKey> =>
      call('PATCH', `/api/v1/api-keys/${part(id)}`, { body }, options),
    /** Revoke an API key. It stops working at once. */
    revokeApiKey: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/api-keys/${part(id)}`, {}, options),
    /** List my API keys */
    listOwnKeys: (query?: ListOwnKeysQuery, options?: CallOptions): Promise<ListPage<ApiKey>> =>
      call('GET', '/api/v1/auth/keys', { query }, options),
    /** Make an API key of my own. The key is in this answer and nowhere else: only its hash is kept. It can do no more than who makes it. */
    createOwnKey: (body: CreateOwnKeyBody, options?: CallOptions): Promise<CreatedApiKey> =>
      call('POST', '/api/v1/auth/keys', { body, creates: true }, options),
    /** Show an API key of mine */
    getOwnKey: (id: string, options?: CallOptions): Promise<ApiKey> =>
      call('GET', `/api/v1/auth/keys/${part(id)}`, {}, options),
    /** Revoke an API key of mine. It stops working at once. */
    revokeOwnKey: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/auth/keys/${part(id)}`, {}, options),
    /** Show the quotas of a person and what is used of them */
    getUserQuotas: (id: string, options?: CallOptions): Promise<UserQuotas> =>
      call('GET', `/api/v1/users/${part(id)}/quotas`, {}, options),
    /** Set the quotas of a person. They hold over all keys of the person and what they start by hand, besides those of each key. */
    setUserQuotas: (id: string, body: SetUserQuotasBody, options?: CallOptions): Promise<UserQuotas> =>
      call('PUT', `/api/v1/users/${part(id)}/quotas`, { body }, options),
    /** Log in with what the OpenID provider sent back. Works once, within 10 minutes, in the browser that started it. */
    finishSignIn: (body: FinishSignInBody, options?: CallOptions): Promise<FinishSignInAnswer> =>
      call('POST', '/api/v1/auth/oidc/redeem', { body }, options),
    /** List my sessions. An API key has none. */
    listMySessions: (query?: ListMySessionsQuery, options?: CallOptions): Promise<ListPage<Session>> =>
      call('GET', '/api/v1/auth/sessions', { query }, options),
    /** End all my sessions but this one */
    endMyOtherSessions: (options?: CallOptions): Promise<EndMyOtherSessionsAnswer> =>
      call('DELETE', '/api/v1/auth/sessions', {}, options),
    /** End one of my sessions. Its streams end at their next heartbeat. */
    endMySession: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/auth/sessions/${part(id)}`, {}, options),
  },
  /** Who may log in, and as what. */
  people: {
    /** List people */
    listUsers: (query?: ListUsersQuery, options?: CallOptions): Promise<ListPage<User>> =>
      call('GET', '/api/v1/users', { query }, options),
    /** Invite a person. The person has no password yet; invite.path leads to where one is chosen. It works once, for 7 days. */
    createUser: (body: CreateUserBody, options?: CallOptions): Promise<CreatedUser> =>
      call('POST', '/api/v1/users', { body, creates: true }, options),
    /** Get a person */
    getUser: (id: string, options?: CallOptions): Promise<User> =>
      call('GET', `/api/v1/users/${part(id)}`, {}, options),
    /** Change address or role of a person, or whether the person gets in. The last active admin can be neither demoted nor deactivated (LAST_ADMIN). */
    updateUser: (id: string, body?: UpdateUserBody, options?: CallOptions): Promise<User> =>
      call('PATCH', `/api/v1/users/${part(id)}`, { body }, options),
    /** Remove a person. Sessions, links and API keys of the person go too. The last active admin stays (LAST_ADMIN). */
    deleteUser: (id: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/users/${part(id)}`, {}, options),
    /** Make a new invite link. For a person who has no password yet. It works once, for 7 days; the one before stops working. */
    inviteUser: (id: string, options?: CallOptions): Promise<PasswordLink> =>
      call('POST', `/api/v1/users/${part(id)}/invite`, { creates: true }, options),
    /** Take the password of a person away, and make a link to choose another. Ends all sessions of the person. The link works once, for an hour. */
    resetPassword: (id: string, options?: CallOptions): Promise<PasswordLink> =>
      call('POST', `/api/v1/users/${part(id)}/reset-password`, { creates: true }, options),
    /** List the sessions of a person */
    listUserSessions: (id: string, query?: ListUserSessionsQuery, options?: CallOptions): Promise<ListPage<Session>> =>
      call('GET', `/api/v1/users/${part(id)}/sessions`, { query }, options),
    /** End all sessions of a person */
    endUserSessions: (id: string, options?: CallOptions): Promise<EndUserSessionsAnswer> =>
      call('DELETE', `/api/v1/users/${part(id)}/sessions`, {}, options),
    /** End one session of a person */
    endUserSession: (id: string, session: string, options?: CallOptions): Promise<void> =>
      call('DELETE', `/api/v1/users/${part(id)}/sessions/${part(session)}`, {}, options),
  },
});

export type Api = ReturnType<typeof createApi>;
