interface ErrorFacts {
  /** Of HTTP; 0 when no answer came. */
  status: number;
  code: string;
  hint?: string | undefined;
  details?: Record<string, unknown> | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/**
 * Everything that can go wrong with a request, but for a signal of the caller: that rejects with the signal's own reason.
 * `code` is the API's, or one of these when no answer of a crawl4r server came:
 * - CONNECTION_FAILED: no connection, or it broke; `cause` has the reason.
 * - TIMEOUT: no answer in time, or silence in the middle of one.
 * - REDIRECTED: the server names another address. It is not followed, so that the key goes nowhere else.
 * - ANSWER_INVALID: what answered is no crawl4r server, or its answer is damaged or too large.
 */
export class CrawlerApiError extends Error {
  override readonly name = 'CrawlerApiError';
  readonly status: number;
  readonly code: string;
  /** What to do next. */
  readonly hint: string | undefined;
  readonly details: Record<string, unknown> | undefined;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;
  /** When the server expects that trying again makes sense. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code;
    this.hint = facts.hint;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The error an answer describes. An answer that is none of ours says only its status. */
export function errorOf(response: Response, body: string): CrawlerApiError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const answer = parse(body);
  const [message, code] = [text(answer?.error), text(answer?.code)];
  if (message === undefined || code === undefined)
    return new CrawlerApiError(`the server answered ${status}, and not as crawl4r does`, {
      status,
      code: 'ANSWER_INVALID',
      hint: 'Check the address: it must be that of a crawl4r server.',
      requestId,
      retryAfterMs,
    });
  const { hint, details, request_id: said } = answer!;
  return new CrawlerApiError(message, {
    status,
    code,
    hint: text(hint),
    details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : undefined,
    requestId: text(said) ?? requestId,
    retryAfterMs,
  });
}

function parse(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3); undefined for anything else. */
export function readRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
