import { AppError } from '../../errors.ts';

/** A request's place in a domain's queue, from the moment it may be sent until the site has answered. */
export interface Place {
  readonly domain: string;
  readonly domainId: string | undefined;
  readonly proxyId: string | null;
  /** The proxy's address with its credentials; null: none, the domain uses no proxies. */
  readonly proxy: string | null;
  /** Time of performance.now() after which the request may no longer be sent; undefined: any time. */
  readonly notAfter: number | undefined;
  /** The request leaves now. */
  started(): void;
  /** It could not leave in time. */
  missed(): void;
  /** The site has answered, or nothing is sent any more. Never rejects; later calls do nothing. */
  end(): Promise<void>;
}

export interface EnterOptions {
  /** Time of performance.now() by which the request must be under way. */
  deadlineAt: number;
  signal?: AbortSignal | undefined;
  /** The proxy to go through instead of the domain's own. */
  proxy?: string | undefined;
  /** The task the request belongs to; it does not wait for itself. */
  taskId?: string | undefined;
  /** Time of performance.now() before which the answer to the hop before does not allow it: that answer is not in the database yet. */
  notBefore?: number | undefined;
}

/** Decides which request may be sent next to each domain. */
export interface Pace {
  /**
   * Waits until a request may be sent to the domain. Rejects at once, and takes no place, when that cannot be before the
   * deadline: DOMAIN_WAITING or CIRCUIT_OPEN with the time; DOMAIN_BLOCKED, PROXY_UNAVAILABLE when no request may be sent.
   */
  enter(domain: string, options: EnterOptions): Promise<Place>;
  /** Stores the delay after each answer that robots.txt requires; 0: none. Resolves with the delay in force. */
  slowDown(domain: string, crawlDelayMs: number): Promise<number>;
}

const REASONS = {
  maintenance: 'is in its maintenance window',
  circuit: 'failed several times in a row',
  turn: 'was asked a short while ago, or others are before this request',
};

/** No request may be sent to the domain before the caller's deadline. */
export function waitingError(domain: string, waitMs: number, heldBy: keyof typeof REASONS): AppError {
  const wait_ms = Math.max(0, Math.ceil(waitMs));
  const until = new Date(Date.now() + wait_ms).toISOString();
  return new AppError(
    heldBy === 'circuit' ? 'CIRCUIT_OPEN' : 'DOMAIN_WAITING',
    `${domain} ${REASONS[heldBy]}; it may be asked again at ${until}`,
    { retryAfterMs: wait_ms, details: { domain, wait_ms, until, reason: heldBy }, failure: { domain } },
  );
}
