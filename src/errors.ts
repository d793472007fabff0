/**
 * Every error a user or a program can get, as one table: code → HTTP status, whether trying again can help, what to
 * do next, and what else follows from it. `category` groups errors in the task error log.
 */
export type ErrorCategory = 'network' | 'http' | 'robots' | 'parse' | 'validation' | 'internal';

/**
 * What follows from an error, beside its status:
 * - `skip`: a page that ends with it is skipped, not failed: there was nothing to try.
 * - `blameless`: not the page's doing; the attempt does not count against its retries.
 * - `site_fault`: the site is at fault; counts towards opening its circuit.
 * - `no_site`: there is no site at this address that could have rules: no address, no connection, another's certificate.
 * - `unasked`: it was decided before a request was sent to the site, so it was no visit.
 * - `held_off`: the site may not be requested now, or not by this route; it says nothing about the site or its files.
 * - `silent`: nothing answered there at all.
 */
export type ErrorTrait = 'skip' | 'blameless' | 'site_fault' | 'no_site' | 'silent' | 'unasked' | 'held_off';

interface ErrorKind {
  status: number;
  category: ErrorCategory;
  retryable: boolean;
  hint?: string;
  traits: readonly ErrorTrait[];
}

const kind = (
  status: number,
  category: ErrorCategory,
  retryable: boolean,
  hint?: string,
  ...traits: ErrorTrait[]
): ErrorKind => ({ status, category, retryable, traits, ...(hint === undefined ? {} : { hint }) });

export const ERRORS = {
  // What a caller sent
  VALIDATION_FAILED: kind(400, 'validation', false, 'Look at details: each entry names a field and what it takes.'),
  JSON_INVALID: kind(400, 'validation', false, 'Send a JSON body with Content-Type: application/json.'),
  URL_INVALID: kind(400, 'validation', false, 'Give a full address such as https://example.com/page.', 'silent'),
  CURSOR_INVALID: kind(400, 'validation', false, 'Start again without a cursor.'),
  QUERY_EMPTY: kind(400, 'validation', false, 'Give at least one word to search for.'),
  QUERY_TOO_LONG: kind(400, 'validation', false, 'Shorten the query to 1,000 characters.'),
  DIMENSION_MISMATCH: kind(400, 'validation', false, 'Use vectors of the dimension the embedder in force makes.'),
  BODY_TOO_LARGE: kind(413, 'validation', false, 'Send at most 10 MB; split larger uploads.'),
  MEDIA_TYPE_UNSUPPORTED: kind(415, 'validation', false, 'Send JSON, or an upload type the route lists.'),
  ARCHIVE_INVALID: kind(
    400,
    'validation',
    false,
    'Give a WARC file, plain or compressed by gzip, or a WACZ file; crawl4r import keeps what stands before the damage.',
  ),
  NOT_FOUND: kind(404, 'validation', false, 'Check the id or name; the matching list shows what there is.'),
  LINK_EXPIRED: kind(410, 'validation', false, 'Ask for a new link.'),
  RANGE_INVALID: kind(416, 'validation', false, 'Ask for bytes within the size that Content-Range names.'),
  METHOD_NOT_ALLOWED: kind(405, 'validation', false),
  UPGRADE_REQUIRED: kind(426, 'validation', false, 'Connect with a WebSocket, or use the stream of the same events.'),
  CONFLICT: kind(409, 'validation', false),
  STATE_CONFLICT: kind(409, 'validation', false, 'Look at its status first; this step does not fit it.'),
  LAST_ADMIN: kind(409, 'validation', false, 'Make another person admin first, who has logged in before.'),
  IDEMPOTENCY_MISMATCH: kind(409, 'validation', false, 'Use a new Idempotency-Key for a different request.'),
  AUTH_REQUIRED: kind(401, 'validation', false, 'Send Authorization: Bearer c4r_… or log in.'),
  FORBIDDEN: kind(403, 'validation', false, 'Use a key whose scopes allow this.'),
  SIGN_IN_REFUSED: kind(403, 'validation', false, 'Start again from the log-in page, or ask an admin to invite you.'),
  HOST_NOT_ALLOWED: kind(421, 'validation', false, 'Use the address the start printed, or add it to HTTP__HOSTS.'),
  REQUEST_INVALID: kind(400, 'validation', false, 'Send HTTP/1.1 as RFC 9112 has it; most clients do.'),
  REQUEST_TIMEOUT: kind(
    408,
    'validation',
    true,
    'Send the request faster, or raise HTTP__REQUEST_TIMEOUT_MS (HTTP__HEADERS_TIMEOUT_MS for its head).',
  ),
  REQUEST_HEAD_TOO_LARGE: kind(
    431,
    'validation',
    false,
    'Send fewer or shorter header fields and cookies, or raise HTTP__MAX_HEADER_BYTES and HTTP__MAX_HEADERS.',
  ),
  TOO_MANY_CONNECTIONS: kind(
    503,
    'validation',
    true,
    'Close connections that are not needed, or raise HTTP__MAX_CONNECTIONS_PER_IP.',
  ),
  RATE_LIMITED: kind(429, 'validation', true, 'Wait for Retry-After seconds.'),
  QUOTA_EXCEEDED: kind(
    429,
    'validation',
    true,
    'GET /api/v1/auth/me shows quotas and what is used of them; an admin can raise them.',
  ),

  // Why a URL was not fetched
  URL_BLOCKED: kind(
    403,
    'validation',
    false,
    'Private addresses are refused; GUARD__ALLOW can let one origin through.',
    'skip',
    'no_site',
    'silent',
    'unasked',
  ),
  DOMAIN_BLOCKED: kind(
    403,
    'validation',
    false,
    'Unblock it with: crawl4r domains unblock DOMAIN, or POST /api/v1/domains/{domain}/unblock.',
    'skip',
    'unasked',
    'held_off',
  ),
  ROBOTS_DISALLOWED: kind(403, 'robots', false, "The site's robots.txt forbids this address.", 'skip', 'unasked'),
  ROBOTS_UNAVAILABLE: kind(
    503,
    'robots',
    true,
    "The site's robots.txt cannot be read; it is tried again later.",
    'unasked',
  ),
  CIRCUIT_OPEN: kind(
    503,
    'network',
    true,
    'The site failed several times in a row; it is probed again later.',
    'unasked',
    'blameless',
    'held_off',
  ),
  DOMAIN_WAITING: kind(
    503,
    'network',
    true,
    'Try again after Retry-After seconds, or with a longer timeout: the domain is paced, paused or in its maintenance window.',
    'blameless',
    'unasked',
    'held_off',
  ),
  TURN_OVER: kind(
    503,
    'internal',
    true,
    'The domain’s turn ran out before the request was sent; it is tried in the next one.',
    'held_off',
  ),
  OUT_OF_SCOPE: kind(400, 'validation', false),
  DEPTH_LIMIT: kind(400, 'validation', false),
  PAGE_LIMIT: kind(400, 'validation', false),
  LINK_LIMIT: kind(400, 'validation', false),
  TRAP_DETECTED: kind(
    400,
    'validation',
    false,
    'The address looks like an endless series; raise the trap limits if it is not.',
  ),
  NOFOLLOW: kind(400, 'robots', false, 'The page asks that this link is not followed; set follow_nofollow to do so.'),
  SCORE_TOO_LOW: kind(400, 'validation', false),
  NOT_NEWER: kind(400, 'validation', false, 'What is stored of this address is as new as what the archive has.'),
  CAPTURE_REPEATED: kind(
    400,
    'validation',
    false,
    'Of several captures of an address in one archive the first is taken; importing it again takes a newer one.',
  ),
  DUPLICATE_CONTENT: kind(400, 'validation', false),
  LANGUAGE_SKIPPED: kind(400, 'validation', false, 'Set LANGUAGES to the languages to keep, or to * for all.'),
  NOINDEX: kind(400, 'robots', false, 'The page asks not to be indexed.'),
  CONTENT_TYPE_UNSUPPORTED: kind(415, 'validation', false, undefined, 'skip'),
  CANCELLED: kind(409, 'validation', false, undefined, 'held_off'),

  // What went wrong on the way
  DNS_FAILED: kind(502, 'network', true, 'Check the host name.', 'site_fault', 'no_site', 'silent'),
  CONNECT_FAILED: kind(
    502,
    'network',
    true,
    'The host does not take connections; check address and port.',
    'site_fault',
    'no_site',
    'silent',
  ),
  CONNECTION_RESET: kind(502, 'network', true, undefined, 'site_fault'),
  TLS_FAILED: kind(502, 'network', false, "The site's certificate is not valid.", 'site_fault', 'no_site'),
  TIMEOUT: kind(504, 'network', true, undefined, 'site_fault', 'silent'),
  PROXY_FAILED: kind(
    502,
    'network',
    true,
    'Test it with: crawl4r proxies test URL, or POST /api/v1/proxies/test.',
    'blameless',
    'held_off',
  ),
  PROXY_UNAVAILABLE: kind(
    503,
    'network',
    true,
    'Every proxy of this domain is off; enable one: crawl4r proxies enable ID.',
    'blameless',
    'unasked',
    'held_off',
  ),
  HTTP_4XX: kind(502, 'http', false),
  HTTP_5XX: kind(502, 'http', true, undefined, 'site_fault'),
  HTTP_429: kind(502, 'http', true),
  TOO_MANY_REDIRECTS: kind(502, 'http', false),
  REDIRECT_INVALID: kind(502, 'http', false),
  RESPONSE_INVALID: kind(502, 'http', false),
  TOO_LARGE: kind(502, 'http', false, 'Raise FETCH__MAX_BYTES if such pages are wanted.'),
  HEADERS_TOO_LARGE: kind(502, 'http', false),
  DECOMPRESSION_BOMB: kind(502, 'http', false),
  ENCODING_UNSUPPORTED: kind(502, 'http', false),
  RENDER_FAILED: kind(502, 'internal', true),
  BROWSER_MISSING: kind(
    503,
    'internal',
    false,
    'Install Chromium (Debian: apt-get install chromium) or set BROWSER__PATH.',
  ),
  PARSE_FAILED: kind(502, 'parse', false),
  PARSE_TIMEOUT: kind(502, 'parse', false),
  PARSE_MEMORY: kind(502, 'parse', false),
  CONTENT_EMPTY: kind(502, 'parse', false, undefined, 'skip'),
  NOTHING_FETCHED: kind(502, 'internal', false, 'Look at the tasks of the crawl: each says why it was not fetched.'),
  WORKER_LOST: kind(500, 'internal', true),
  QUARANTINED: kind(
    500,
    'internal',
    false,
    'This page ended its worker three times; restart the task to try once more.',
  ),
  RAW_MISSING: kind(
    409,
    'validation',
    false,
    'No stored response is left for this page; restart the task to fetch it again.',
  ),

  // Internal
  USAGE: kind(400, 'validation', false, 'Run crawl4r help to see every command and its options.'),
  NOT_CRAWL4R: kind(
    502,
    'validation',
    false,
    'Give --server the address of a crawl4r server, without a path: https://crawler.example.com.',
  ),
  ENGINE_NOT_AVAILABLE: kind(
    500,
    'validation',
    false,
    'Take the settings away: without them the engines that come along do the same work.',
  ),
  ENGINE_DOWN: kind(503, 'internal', true, 'Run crawl4r doctor to see which engine does not answer.'),
  PROVIDER_DOWN: kind(
    503,
    'internal',
    true,
    'Log in with email and password, or try again; OIDC__ISSUER names the provider.',
  ),
  DATABASE_DOWN: kind(503, 'internal', true, 'The database does not answer; nothing is lost, try again.'),
  DATABASE_CONFLICT: kind(503, 'internal', true, 'It was tried four times; nothing of it was kept, try again.'),
  DATABASE_MISSING: kind(
    503,
    'internal',
    false,
    'Run npm ci, or set DATABASE__POSTGRES_URL to a PostgreSQL server, 15 or newer.',
  ),
  SCHEMA_CHANGED: kind(
    500,
    'internal',
    false,
    'Put the file back as it was and add a new one; on a development database, remove the data folder instead.',
  ),
  EMBEDDING_INVALID: kind(
    502,
    'internal',
    false,
    'Check that model and dimension in the settings are those of the service or folder.',
  ),
  RERANKING_INVALID: kind(502, 'internal', false, 'Check that the reranker in the settings is a cross-encoder.'),
  MODEL_MISSING: kind(
    503,
    'internal',
    false,
    'Run npm ci, or set EMBEDDER__PATH (RERANKER__PATH) to a folder with the model.',
  ),
  MODEL_CORRUPT: kind(503, 'internal', false, 'Run npm ci again: a model file is not the one that was published.'),
  SECRETS_KEY_MISSING: kind(
    500,
    'internal',
    false,
    'Put secrets.key back into the data folder, or set SECRETS__KEY or SECRETS__KEY_FILE to the key of the installation.',
  ),
  SECRETS_KEY_WRONG: kind(
    500,
    'internal',
    false,
    'Use the key this database was first used with: secrets.key of that data folder, SECRETS__KEY or SECRETS__KEY_FILE.',
  ),
  SECRETS_KEY_INVALID: kind(
    500,
    'validation',
    false,
    'A key is 32 random bytes in base64, one a line: openssl rand -base64 32.',
  ),
  SECRET_DAMAGED: kind(500, 'internal', false, 'Enter the password, header or secret again.'),
  CONFIG_INVALID: kind(500, 'validation', false, 'Mend the settings listed and start again.'),
  BIND_INSECURE: kind(
    500,
    'validation',
    false,
    'Put a proxy with TLS in front and name its address in HTTP__TRUST_PROXY; or start with --insecure (HTTP__INSECURE=true) if this network is trusted; or set HOST=127.0.0.1.',
  ),
  PORT_BUSY: kind(500, 'internal', false, 'Set PORT to a free one.'),
  DATA_DIR_UNUSABLE: kind(500, 'internal', false, 'Set DATA_DIR to a folder this user may write to.'),
  DISK_FULL: kind(507, 'internal', true, 'Free disk space; work goes on by itself.'),
  INSTALL_FAILED: kind(500, 'internal', false, 'Check the network and the npm registry, then start again.'),
  NODE_TOO_OLD: kind(500, 'internal', false, 'Install Node.js 20 or newer.'),
  INTERNAL_ERROR: kind(500, 'internal', false),
} satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** What is known about a failed request to a site, for those who count failures: tasks, circuits, proxies. */
export interface FetchFailure {
  /** The status the site answered with. */
  status?: number;
  /** The address that answered, after redirects. */
  url?: string;
  /** The domain that refused or failed. */
  domain?: string;
  /** The row of that domain, once it was entered. */
  domainId?: string | undefined;
  /** It was another domain than the task's own: a redirect led there. */
  elsewhere?: boolean;
  /** The proxy it went through; null: none. */
  proxyId?: string | null;
}

interface AppErrorOptions {
  /** Shown to callers. */
  details?: Record<string, unknown>;
  failure?: FetchFailure;
  hint?: string;
  cause?: unknown;
  /** Milliseconds after which trying again makes sense. */
  retryAfterMs?: number;
}

/** The one error type of the project: `code` decides everything else. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly failure: FetchFailure | undefined;
  readonly retryAfterMs: number | undefined;
  readonly #hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.failure = options.failure;
    this.retryAfterMs = options.retryAfterMs;
    this.#hint = options.hint;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
  get category(): ErrorCategory {
    return ERRORS[this.code].category;
  }
  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }
  has(trait: ErrorTrait): boolean {
    return (ERRORS[this.code] as ErrorKind).traits.includes(trait);
  }
  get hint(): string | undefined {
    return this.#hint ?? (ERRORS[this.code] as ErrorKind).hint;
  }
}

/** The same error, with more known about the request that failed. */
export function addFailure(error: AppError, failure: FetchFailure): AppError {
  const { code, message, details, hint, retryAfterMs } = error;
  return new AppError(code, message, {
    cause: error.cause ?? error,
    failure: { ...error.failure, ...failure },
    ...(details === undefined ? {} : { details }),
    ...(hint === undefined ? {} : { hint }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new AppError('INTERNAL_ERROR', message || 'something went wrong', { cause: error });
}
