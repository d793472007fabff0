export interface FetchRequest {
  url: string;
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** A proxy URL with its credentials, if the request goes through one. */
  proxy?: string;
  /** For the whole fetch, all hops together; time spent in `onRedirect` and `beforeLarge` does not count. */
  timeoutMs?: number;
  /** Of the body, as sent and as decoded. */
  maxBytes?: number;
  /** 0: a redirect is given back as it is. */
  maxRedirects?: number;
  /** The request must be on its way by this time of performance.now(), else it is not sent: TURN_OVER. */
  notAfter?: number;
  /** Called when a request, the first or that of a hop, has been written to its connection: never before, at most a moment after. */
  onStart?: () => void;
  /** Called before each redirect hop is followed; decides how to go on. A rejection ends the fetch with that error. */
  onRedirect?: (from: string, to: string) => Promise<Hop>;
  /** Awaited once before a body that turns out large is held in memory; that time does not count either. */
  beforeLarge?: () => Promise<void>;
  signal?: AbortSignal;
}

/** How a redirect is followed, and what comes after it. */
export interface Hop {
  /** The proxy from here on; null: none. Absent: as before. */
  proxy?: string | null | undefined;
  /** As for the first request: the hop must be on its way by then. */
  notAfter?: number | undefined;
}

export interface FetchResponse {
  /** Where the body came from, after redirects. */
  url: string;
  status: number;
  /** Lower-case names; repeated fields joined by a comma and a space. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** Every address on the way, first to last, when there were redirects. */
  redirects: { url: string; status: number }[];
  /** The address that was connected to, as checked by the guard. */
  remoteAddress?: string;
  /** From the first request on, without the time spent in `onRedirect`. */
  timings: { firstByteMs: number; totalMs: number };
}

/**
 * Fetches one resource.
 *
 * Contract:
 * - Any HTTP status is a response; only failures to get one reject, with an AppError (DNS_FAILED, CONNECT_FAILED,
 *   TIMEOUT, TOO_LARGE, URL_BLOCKED, TOO_MANY_REDIRECTS …).
 * - Nothing is sent to an address the guard refuses, whatever names, redirects or scripts say.
 * - Aborting `signal` ends it at once and frees the connection.
 */
export interface Fetcher extends AsyncDisposable {
  fetch(request: FetchRequest): Promise<FetchResponse>;
}
