import type { CDPSession } from 'playwright-core';
import { AppError } from '../../errors.ts';
import type { Guard } from '../../pipeline/fetch/guard.ts';
import type { PageRequest } from '../../ports/browser.ts';
import type { FetchResponse } from '../../ports/fetcher.ts';

/** A request, or its answer, that waits for us to say how it goes on. */
interface Paused {
  requestId: string;
  frameId: string;
  request: { url: string; method: string; headers: Record<string, string> };
  responseStatusCode?: number;
  responseErrorReason?: string;
  responseHeaders?: { name: string; value: string }[];
}

export interface NavigationOptions {
  request: PageRequest;
  guard: Guard;
  maxBytes: number;
  maxRedirects: number;
  /** What the proxy knows about a target that could not be reached. */
  failureOf(url: string): AppError | undefined;
  /** Called once, with the first reason to end it all. */
  onFailure(error: AppError): void;
}

/**
 * Watches the main document of a page: every hop is checked before it is sent, the caller's headers stay with the
 * origin they are for, and a document that is not HTML is taken as bytes instead of being shown.
 */
export class Navigation {
  readonly redirects: FetchResponse['redirects'] = [];
  status = 0;
  headers: Record<string, string> = {};
  url: string;
  /** The document itself, when it is not a page. */
  bytes: Uint8Array | undefined;
  /** Documents asked for so far; a script may start further ones. */
  started = 0;
  firstByteAt: number | undefined;
  readonly #cdp: CDPSession;
  readonly #frameId: string;
  readonly #options: NavigationOptions;
  readonly #origin: string;

  constructor(cdp: CDPSession, frameId: string, options: NavigationOptions) {
    this.#cdp = cdp;
    this.#frameId = frameId;
    this.#options = options;
    this.url = options.request.url;
    this.#origin = new URL(options.request.url).origin;
  }

  async watch(): Promise<void> {
    this.#cdp.on('Fetch.requestPaused', (paused) => {
      this.#handle(paused).catch((error: unknown) => {
        // A page that closed in the middle has nothing left to continue.
        if (error instanceof AppError) this.#fail(paused, error);
      });
    });
    await this.#cdp.send('Fetch.enable', {
      patterns: (['Request', 'Response'] as const).map((requestStage) => ({
        urlPattern: '*',
        resourceType: 'Document' as const,
        requestStage,
      })),
    });
  }

  async #handle(paused: Paused): Promise<void> {
    const { requestId } = paused;
    if (paused.frameId !== this.#frameId) return void (await this.#cdp.send('Fetch.continueRequest', { requestId }));
    if (paused.responseStatusCode !== undefined) return this.#onResponse(paused, paused.responseStatusCode);
    if (paused.responseErrorReason !== undefined)
      return void (await this.#cdp.send('Fetch.continueRequest', { requestId }));
    await this.#checkHop(paused);
    const headers = this.#headersFor(paused);
    await this.#cdp.send('Fetch.continueRequest', { requestId, ...(headers !== undefined && { headers }) });
  }

  async #checkHop({ request: { url, method } }: Paused): Promise<void> {
    const { guard, request, maxRedirects } = this.#options;
    const isFirst = this.started === 0;
    const isServers = this.redirects.length > 0 && this.redirects.at(-1)!.url === this.url && this.status === 0;
    const target = new URL(url);
    if (target.protocol !== 'http:' && target.protocol !== 'https:')
      throw new AppError('REDIRECT_INVALID', `${this.url} leads to ${target.protocol}`);
    const verdict = guard.checkUrl(target);
    if (!verdict.allowed) throw new AppError('URL_BLOCKED', `${target.origin}: ${verdict.reason}`);
    if (method !== 'GET') throw new AppError('REDIRECT_INVALID', `${this.url} sends a form by itself`);
    if (!isFirst) {
      // A script or a refresh that leads on counts as a redirect, under the status its page had.
      if (!isServers) this.redirects.push({ url: this.url, status: this.status || 200 });
      if (this.redirects.length > maxRedirects)
        throw new AppError('TOO_MANY_REDIRECTS', `${request.url} redirects more than ${maxRedirects} times`);
      await request.onRedirect?.(this.url, withoutHash(url));
    }
    this.started++;
    this.status = 0;
    this.url = withoutHash(url);
  }

  #headersFor({ request: { url, headers } }: Paused): { name: string; value: string }[] | undefined {
    const own = this.#options.request.headers;
    if (own === undefined || new URL(url).origin !== this.#origin) return undefined;
    const merged = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    for (const [name, value] of Object.entries(own)) merged.set(name.toLowerCase(), value);
    for (const name of ['host', 'connection', 'content-length', 'proxy-authorization']) merged.delete(name);
    return [...merged].map(([name, value]) => ({ name, value }));
  }

  async #onResponse(paused: Paused, status: number): Promise<void> {
    const { requestId } = paused;
    const refused = this.#options.failureOf(paused.request.url);
    if (refused !== undefined) throw refused;
    const headers = joinHeaders(paused.responseHeaders ?? []);
    this.firstByteAt ??= performance.now();
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      this.redirects.push({ url: this.url, status });
      this.status = 0;
      return void (await this.#cdp.send('Fetch.continueRequest', { requestId }));
    }
    this.status = status;
    this.headers = headers;
    if (Number(headers['content-length'] ?? 0) > this.#options.maxBytes)
      throw new AppError('TOO_LARGE', `${this.url} is larger than ${this.#options.maxBytes} bytes`);
    if (isPage(headers)) return void (await this.#cdp.send('Fetch.continueRequest', { requestId }));
    this.bytes = await this.#takeBody(requestId);
    await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  /** Reads the body in pieces, so that one without a length cannot fill the memory. */
  async #takeBody(requestId: string): Promise<Uint8Array> {
    const { stream } = await this.#cdp.send('Fetch.takeResponseBodyAsStream', { requestId });
    const parts: Buffer[] = [];
    let size = 0;
    while (true) {
      const { data, base64Encoded, eof } = await this.#cdp.send('IO.read', { handle: stream, size: 256 * 1024 });
      const part = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
      size += part.length;
      if (size > this.#options.maxBytes)
        throw new AppError('TOO_LARGE', `${this.url} is larger than ${this.#options.maxBytes} bytes`);
      parts.push(part);
      if (eof) return Buffer.concat(parts);
    }
  }

  #fail({ requestId }: Paused, error: AppError): void {
    this.#options.onFailure(error);
    this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {});
  }
}

const withoutHash = (url: string) => url.replace(/#.*$/, '');

/** Documents without a type are looked at by the browser, as browsers do. */
function isPage(headers: Record<string, string>): boolean {
  const type = headers['content-type'] ?? 'text/html';
  return (
    /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(type) &&
    !/^\s*attachment/i.test(headers['content-disposition'] ?? '')
  );
}

function joinHeaders(list: { name: string; value: string }[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of list) {
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}
