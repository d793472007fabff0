import { AppError } from '../../errors.ts';
import type { FetchResponse } from '../../ports/fetcher.ts';
import type { RobotsRules } from '../fetch/robots.ts';
import type { DiscoverTools } from './types.ts';

export interface SiteClient {
  /** A page or file of a site: robots.txt is obeyed, redirects included; only 2xx resolves. */
  get(url: string, maxBytes?: number): Promise<FetchResponse>;
  /** A public query service: robots.txt does not apply. */
  ask(url: string, maxBytes?: number): Promise<FetchResponse>;
  robots(origin: string): Promise<RobotsRules>;
}

/** The polite client for one search: all of it ends at the same time. */
export function createSiteClient(tools: DiscoverTools): SiteClient {
  const { polite, fetcher, userAgent, timeoutMs = 300_000 } = tools;
  const deadlineAt = performance.now() + timeoutMs;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = tools.signal === undefined ? deadline : AbortSignal.any([tools.signal, deadline]);
  const how = { userAgent, deadlineAt, signal };

  async function orStopped<T>(asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (cause) {
      if (!signal.aborted) throw cause;
      throw new AppError(tools.signal?.aborted ? 'CANCELLED' : 'TIMEOUT', 'discovery was stopped', { cause });
    }
  }

  async function send(url: string, robots: boolean, maxBytes: number | undefined): Promise<FetchResponse> {
    const headers = { 'user-agent': userAgent };
    const response = await orStopped(
      polite.visit(url, { ...how, robots }, (way) =>
        fetcher.fetch({ ...way, url, headers, ...(maxBytes !== undefined && { maxBytes }) }),
      ),
    );
    return expectSuccess(response, url);
  }

  return {
    robots: (origin) => orStopped(polite.robots.rules(origin, how)),
    get: (url, maxBytes) => send(url, true, maxBytes),
    ask: (url, maxBytes) => send(url, false, maxBytes),
  };
}

function expectSuccess(response: FetchResponse, url: string): FetchResponse {
  if (response.status >= 200 && response.status < 300) return response;
  const code = response.status === 429 ? 'HTTP_429' : response.status >= 500 ? 'HTTP_5XX' : 'HTTP_4XX';
  throw new AppError(code, `${url} answers ${response.status}`, { failure: { status: response.status } });
}
