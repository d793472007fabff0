import { AppError } from '../../errors.ts';
import type { FetchResponse } from '../../ports/fetcher.ts';
import { parseRetryAfter } from './retry.ts';

/** Lets a usable response pass and turns every other status into its error. 304 is usable: a visit without news. */
export function judgeResponse(response: FetchResponse): void {
  const { status } = response;
  if ((status >= 200 && status < 300) || status === 304) return;
  const retryAfterMs = parseRetryAfter(response.headers['retry-after']);
  const failure = { status, url: response.url };
  if (status === 429) {
    throw new AppError('HTTP_429', 'the site asks to slow down (429)', {
      failure,
      retryAfterMs: retryAfterMs ?? 5_000,
    });
  }
  if (status >= 500 || status === 408 || status === 425) {
    throw new AppError(
      'HTTP_5XX',
      `the site answered with ${status}`,
      retryAfterMs === undefined ? { failure } : { failure, retryAfterMs },
    );
  }
  if (status >= 400) throw new AppError('HTTP_4XX', `the site answered with ${status}`, { failure });
  throw new AppError('RESPONSE_INVALID', `the site answered with ${status} and nowhere to go`, { failure });
}
