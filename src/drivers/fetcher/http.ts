import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import { createGate, type Gate } from '../../gate.ts';
import type { Fetcher, FetchRequest, FetchResponse } from '../../ports/fetcher.ts';
import { ACCEPT_ENCODING, decodeBody } from '../../web/decode-body.ts';
import type { Guard } from '../../web/guard.ts';
import { ACCEPT } from '../../web/header-fields.ts';
import { createConnections, type Site } from './connections.ts';
import { createDialer } from './dial.ts';
import { cacheResolve, createResolve, type Resolve } from './dns.ts';
import type { ExchangeResult } from './exchange.ts';
import { keepOnRedirect, mergeHeaders } from './headers.ts';
import { Run } from './run.ts';

export interface HttpFetcherOptions {
  guard: Guard;
  settings: Pick<Settings, 'fetch' | 'userAgent'>;
  /** Replaces the name servers, for tests. */
  resolve?: Resolve;
}

/** Bodies above 1 MB that are read at the same time. */
const LARGE_BODIES = 16;

/**
 * The guarded client: every outbound HTTP request of the program is made here. An address is judged when it is read,
 * its name when it is resolved, and the connection goes to a judged address and no other; a redirect starts all over.
 */
export function createHttpFetcher({ guard, settings, resolve = createResolve() }: HttpFetcherOptions): Fetcher {
  const limits = settings.fetch;
  const dialer = createDialer({
    guard,
    resolve: cacheResolve(resolve, limits.dnsTtlS * 1000),
    connectTimeoutMs: limits.connectTimeoutMs,
  });
  const connections = createConnections({ dialer, guard, ...limits });
  const largeBodies = createGate(LARGE_BODIES);
  const ownHeaders: Record<string, string> = {
    'user-agent': settings.userAgent,
    accept: ACCEPT,
    'accept-encoding': ACCEPT_ENCODING,
  };
  const ownHeaderList = Object.entries(ownHeaders).flat();

  /** Finds or opens the connections for an address, which is judged unless its origin was before. */
  function locate(address: string, proxy: string | undefined): { site: Site; path: string; url: string } {
    const end = address.indexOf('/', 8);
    const known = end < 0 ? undefined : connections.find(address.slice(0, end), proxy);
    // Known origins are compared letter by letter, so this shortcut cannot be talked into another host.
    if (known !== undefined && PLAIN.test(address) && !address.includes('/.', end))
      return { site: known, path: address.slice(end), url: address };
    const url = URL.parse(address);
    if (url === null) throw new AppError('URL_INVALID', `${address} cannot be read`);
    const verdict = guard.checkUrl(url);
    if (!verdict.allowed) throw new AppError('URL_BLOCKED', `${url.origin}: ${verdict.reason}`);
    const site = connections.find(url.origin, proxy) ?? connections.open(url, proxy);
    return { site, path: url.pathname + url.search, url: url.origin + url.pathname + url.search };
  }

  async function follow(request: FetchRequest, run: Run): Promise<FetchResponse> {
    const large = request.beforeLarge === undefined ? undefined : askOnce(request.beforeLarge, run);
    const maxBytes = request.maxBytes ?? limits.maxBytes;
    const maxRedirects = request.maxRedirects ?? limits.maxRedirects;
    const redirects: FetchResponse['redirects'] = [];
    let method = request.method ?? 'GET';
    let body = request.body ?? null;
    let headers = request.headers;
    let address = request.url;
    let proxy = request.proxy;
    let notAfter = request.notAfter;

    for (;;) {
      const { site, path, url } = locate(address, proxy);
      const result = await run.exchange({
        dispatcher: site.pool,
        origin: site.origin,
        path,
        method,
        headers: headers === undefined ? ownHeaderList : mergeHeaders(ownHeaders, headers),
        body,
        maxBytes,
        largeBodies: large ?? largeBodies,
        notAfter,
        onStart: request.onStart,
        discards: (status, headers) => maxRedirects > 0 && locationOf(status, headers) !== undefined,
      });
      const { status } = result;
      const location = locationOf(status, result.headers);
      if (location === undefined || maxRedirects === 0) {
        const decoded = await decode(result, method, maxBytes, large);
        const timings = {
          firstByteMs: run.elapsed(result.firstByteAt + (large?.waitedMs ?? 0)),
          totalMs: run.elapsed(performance.now()),
        };
        const response: FetchResponse = { url, status, headers: result.headers, body: decoded, redirects, timings };
        if (site.remoteAddress !== undefined) response.remoteAddress = site.remoteAddress;
        return response;
      }

      redirects.push({ url, status });
      if (redirects.length > maxRedirects)
        throw new AppError('TOO_MANY_REDIRECTS', `${request.url} redirects more than ${maxRedirects} times`);
      const next = readLocation(location, url);
      if (status === 303 || (method === 'POST' && status <= 302)) {
        method = method === 'HEAD' ? 'HEAD' : 'GET';
        body = null;
      }
      headers = next.origin === site.origin ? keepOnRedirect(headers, body !== null) : undefined;
      if (headers === undefined && body !== null)
        throw new AppError('REDIRECT_INVALID', `${url} redirects a body to another site`);
      const hop = request.onRedirect === undefined ? {} : await run.aside(request.onRedirect(url, next.href));
      if (hop.proxy !== undefined) proxy = hop.proxy ?? undefined;
      notAfter = hop.notAfter;
      address = next.href;
    }
  }

  return {
    async fetch(request) {
      const run = new Run(request, request.timeoutMs ?? limits.timeoutMs);
      try {
        return await follow(request, run);
      } finally {
        run.end();
      }
    },
    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Nothing in such an address would be escaped or cut off. */
const PLAIN = /^[\x21\x22\x24-\x5b\x5d-\x7e]+$/;

/** Where a redirect leads; undefined for every other answer, and for a redirect that does not say. */
const locationOf = (status: number, headers: Record<string, string>): string | undefined =>
  REDIRECTS.has(status) && headers.location !== '' ? headers.location : undefined;

function readLocation(location: string, from: string): URL {
  // Header bytes arrive as Latin-1; addresses beyond ASCII are written in UTF-8.
  const url = URL.parse(Buffer.from(location, 'latin1').toString(), from);
  if (url === null) throw new AppError('REDIRECT_INVALID', `${from} redirects to an address that cannot be read`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AppError('REDIRECT_INVALID', `${from} redirects to ${url.protocol}`);
  url.hash = '';
  return url;
}

/** The caller limits large bodies itself, until it releases them. */
function askOnce(ask: () => Promise<void>, run: Run): Gate & { waitedMs: number } {
  let asked: Promise<void> | undefined;
  const gate = {
    /** After the first byte, and not part of the time the fetch took. */
    waitedMs: 0,
    async enter() {
      const since = performance.now();
      asked ??= run.aside(ask()).then(() => {
        gate.waitedMs = performance.now() - since;
      });
      await asked;
      return () => {};
    },
  };
  return gate;
}

function decode(
  result: ExchangeResult,
  method: string,
  maxBytes: number,
  large: Gate | undefined,
): Uint8Array | Promise<Uint8Array> {
  const encoding = result.headers['content-encoding'];
  if (encoding === undefined || method === 'HEAD' || result.body.length === 0) return result.body;
  return decodeBody(result.body, encoding, maxBytes, large);
}
