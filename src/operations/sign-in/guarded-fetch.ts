import type { CustomFetch } from 'openid-client';
import type { Fetcher } from '../../ports/fetcher.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** Statuses that come without a body. */
const BARE = new Set([204, 205, 304]);

/** The fetch that the OpenID library is given: its requests go through the guarded client, and redirects are not followed. */
export const guardedFetch =
  (client: Fetcher): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await client.fetch({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      ...(body === null || body === undefined ? {} : { body: String(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    // The body is decoded already.
    const { 'content-encoding': _, 'content-length': __, ...kept } = answer.headers;
    return new Response(BARE.has(answer.status) ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: kept,
    });
  };
