import type { CDPSession } from 'playwright-core';
import { AppError } from '../../errors.ts';
import type { PageRequest } from '../../ports/browser.ts';
import type { FetchResponse } from '../../ports/fetcher.ts';
import type { Guard } from '../../web/guard.ts';
import { CONNECTION_FIELD } from '../../web/header-fields.ts';

/** A request, or its answer, that waits for us to say how it goes on. */
interface Paused {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: { url: string; method: string; headers: Record<string, string> };
  responseStatusCode?: number;
  responseErrorReason?: string;
  responseStatusText?: string;
  responseHeaders?: { name: string; value: string }[];
}

export interface NavigationOptions {
  request: PageRequest;
  guard: Guard;
  maxBytes: number;
  maxRedirects: number;
  /** What the proxy knows about a target that could not be reached. */
  failureOf(url: string): AppError | undefined;
  /** Which proxy the page goes through from here on. */
  goThrough(proxy: string | undefined): void;
  /** Called once, with the first reason to end it all. */
  onFailure(error: Error): void;
}

const PIECE = 256 * 1024;
const COMPRESSIBLE = ['Document', 'Script', 'Stylesheet', 'XHR', 'Fetch', 'Other'] as const;

/**
 * Watches what a page loads. Its main document: every hop is checked before it is sent, the caller's headers stay with
 * the origin they are for, in the document and in all it loads, and what is not HTML is read as bytes instead of being rendered. Every compressed response
 * is decompressed here, up to its limit, because a renderer has no limit.
 */
export class Navigation {
  readonly redirects: FetchResponse['redirects'] = [];
  status = 0;
  headers: Record<string, string> = {};
  url: string;
  /** The document itself, when it is not a page. */
  bytes: Uint8Array | undefined;
  /** Documents requested so far; a script may start further ones. */
  started = 0;
  firstByteAt: number | undefined;
  readonly #cdp: CDPSession;
  readonly #frameId: string;
  readonly #options: NavigationOptions;
  readonly #origin: string;
  /** Whether there are headers of the caller, beside the name we go by. */
  readonly #hasHeaders: boolean;
  #notAfter: number | undefined;

  constructor(cdp: CDPSession, frameId: string, options: NavigationOptions) {
    this.#cdp = cdp;
    this.#frameId = frameId;
    this.#options = options;
    this.url = options.request.url;
    this.#notAfter = options.request.notAfter;
    this.#origin = new URL(options.request.url).origin;
    this.#hasHeaders = Object.keys(options.request.headers ?? {}).some((name) => name.toLowerCase() !== 'user-agent');
  }

  async watch(): Promise<void> {
    this.#cdp.on('Fetch.requestPaused', (paused) => {
      this.#handle(paused).catch((error: unknown) => {
        // A page that closed in the middle has nothing left to continue.
        if (error instanceof AppError) this.#fail(paused, error);
        // A header the browser does not take would leave the page waiting for ever.
        else if (/header/i.test(String(error)))
          this.#fail(
            paused,
            new AppError('RENDER_FAILED', 'the browser refuses a header of the caller', { cause: error }),
          );
      });
    });
    await this.#cdp.send('Fetch.enable', {
      patterns: [
        // Requests of the page to its own origin carry the caller's headers too; without headers, only documents are intercepted.
        { urlPattern: '*', requestStage: 'Request', ...(!this.#hasHeaders && { resourceType: 'Document' as const }) },
        ...COMPRESSIBLE.map((resourceType) => ({
          urlPattern: '*',
          resourceType,
          requestStage: 'Response' as const,
        })),
      ],
    });
  }

  async #handle(paused: Paused): Promise<void> {
    const { requestId, responseStatusCode: status } = paused;
    const isMain = paused.frameId === this.#frameId && paused.resourceType === 'Document';
    if (status !== undefined) return isMain ? this.#onDocument(paused, status) : this.#onPart(paused, status);
    if (isMain && paused.responseErrorReason === undefined) {
      await this.#checkHop(paused);
      const headers = this.#headersFor(paused);
      return void (await this.#cdp.send('Fetch.continueRequest', {
        requestId,
        ...(headers !== undefined && { headers }),
      }));
    }
    // What stands in frames is no part of the document that is read.
    if (paused.resourceType === 'Document' && !isMain && this.#options.request.load !== 'all')
      return void (await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }));
    const headers = paused.responseErrorReason === undefined ? this.#headersFor(paused) : undefined;
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
      await this.#ask(this.url, withoutHash(url));
    }
    if (this.#notAfter !== undefined && performance.now() > this.#notAfter)
      throw new AppError('TURN_OVER', 'the turn ran out before the page was asked for');
    request.onStart?.();
    this.started++;
    this.status = 0;
    this.url = withoutHash(url);
  }

  /** The caller's no ends the page with the caller's own error. */
  async #ask(from: string, to: string): Promise<void> {
    try {
      const hop = await this.#options.request.onRedirect?.(from, to);
      this.#notAfter = hop?.notAfter;
      if (hop?.proxy !== undefined) this.#options.goThrough(hop.proxy ?? undefined);
    } catch (error) {
      this.#options.onFailure(error as Error);
      throw new AppError('CANCELLED', `${to} was refused`, { cause: error });
    }
  }

  #headersFor({ request: { url, headers } }: Paused): { name: string; value: string }[] | undefined {
    const own = this.#options.request.headers;
    if (own === undefined || new URL(url).origin !== this.#origin) return undefined;
    const merged = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    for (const [name, value] of Object.entries(own)) merged.set(name.toLowerCase(), value);
    for (const name of merged.keys()) if (CONNECTION_FIELD.test(name)) merged.delete(name);
    return [...merged].map(([name, value]) => ({ name, value }));
  }

  async #onDocument(paused: Paused, status: number): Promise<void> {
    const { requestId } = paused;
    const { failureOf, maxBytes } = this.#options;
    const refused = failureOf(paused.request.url);
    if (refused !== undefined) throw refused;
    const headers = joinHeaders(paused.responseHeaders ?? []);
    this.firstByteAt ??= performance.now();
    if (isRedirect(status, headers)) {
      this.redirects.push({ url: this.url, status });
      this.status = 0;
      return void (await this.#cdp.send('Fetch.continueRequest', { requestId }));
    }
    this.status = status;
    this.headers = headers;
    if (Number(headers['content-length'] ?? 0) > maxBytes)
      throw new AppError('TOO_LARGE', `${this.url} is larger than ${maxBytes} bytes`);
    if (isPage(headers) && !isCompressed(headers))
      return void (await this.#cdp.send('Fetch.continueRequest', { requestId }));
    const body = await this.#takeBody(requestId);
    if (body === undefined)
      throw new AppError(
        isCompressed(headers) ? 'DECOMPRESSION_BOMB' : 'TOO_LARGE',
        `${this.url} is larger than ${maxBytes} bytes`,
      );
    if (isPage(headers)) return this.#handOn(paused, status, body);
    this.bytes = body;
    await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  /** A part of the page that is too large goes missing; the page stands. */
  async #onPart(paused: Paused, status: number): Promise<void> {
    const { requestId } = paused;
    const headers = joinHeaders(paused.responseHeaders ?? []);
    if (isRedirect(status, headers) || !isCompressed(headers) || /event-stream/.test(headers['content-type'] ?? ''))
      return void (await this.#cdp.send('Fetch.continueRequest', { requestId }));
    const body = await this.#takeBody(requestId);
    if (body === undefined) await this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByResponse' });
    else await this.#handOn(paused, status, body);
  }

  async #handOn({ requestId, responseHeaders = [], responseStatusText }: Paused, status: number, body: Buffer) {
    await this.#cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      ...(responseStatusText && { responsePhrase: responseStatusText }),
      responseHeaders: responseHeaders.filter(({ name }) => !/^content-(?:encoding|length)$/i.test(name)),
      body: body.toString('base64'),
    });
  }

  /** Reads a body in pieces, unfolded, and gives up on one that is too large: undefined. */
  async #takeBody(requestId: string): Promise<Buffer | undefined> {
    const { stream: handle } = await this.#cdp.send('Fetch.takeResponseBodyAsStream', { requestId });
    const parts: Buffer[] = [];
    let size = 0;
    try {
      while (true) {
        const { data, base64Encoded, eof } = await this.#cdp.send('IO.read', { handle, size: PIECE });
        const part = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
        size += part.length;
        if (size > this.#options.maxBytes) return undefined;
        parts.push(part);
        if (eof) return Buffer.concat(parts);
      }
    } finally {
      await this.#cdp.send('IO.close', { handle });
    }
  }

  #fail({ requestId }: Paused, error: AppError): void {
    this.#options.onFailure(error);
    this.#cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {});
  }
}

const isRedirect = (status: number, headers: Record<string, string>) =>
  status >= 300 && status < 400 && headers.location !== undefined;

const isCompressed = (headers: Record<string, string>) => !/^(?:identity)?$/i.test(headers['content-encoding'] ?? '');

const withoutHash = (url: string) => url.split('#', 1)[0]!;

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
