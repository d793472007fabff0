import type { CallOptions, Method, Parts } from './call.ts';
import { CrawlerApiError } from './error.ts';
import { createFollow, type Follow, type StreamEvent } from './follow.ts';
import type { SocketClass } from './follow-socket.ts';
import { type Api, createApi } from './generated.ts';
import { paginate } from './paginate.ts';
import { createCall } from './send.ts';

export interface ClientOptions {
  /** Where the server is: `https://crawler.example.com`. */
  server: string;
  /** An API key: `c4r_…`. */
  key?: string | undefined;
  /** In a browser: the half of a session that its log-in answered; the cookie with the other half goes along. */
  session?: string | undefined;
  /** Sends the requests; the global one unless given. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Opens sockets; the global one unless given. */
  WebSocket?: SocketClass | undefined;
  /** How often a request is tried again; 3 unless given. */
  retries?: number | undefined;
  /** Longest time for one try, and for silence while an answer is read; 30 s unless given. */
  timeoutMs?: number | undefined;
  /** Longest wait between two tries; 30 s unless given. A server that asks for more gets no further try. */
  maxWaitMs?: number | undefined;
  /** Largest answer that is read into memory; 256 MB unless given. */
  maxAnswerBytes?: number | undefined;
  /** How this program names itself. */
  userAgent?: string | undefined;
  /** What is thrown in place of an error of this client. */
  mapError?: ((error: CrawlerApiError) => unknown) | undefined;
}

export interface Client extends Api {
  /** The address every request goes to, without a slash at its end. */
  readonly server: string;
  /** Any route by its path under /api/v1, for what has no method of its own. */
  request<Answer = unknown>(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  /** Every entry of a list, from page to page: `for await (const crawl of client.paginate(client.crawls.list))`. */
  paginate: typeof paginate;
}

export type RequestOptions = CallOptions & Pick<Parts, 'query' | 'creates' | 'raw'>;

const MINUTE_HALF_MS = 30_000;
const MAX_ANSWER = 256 * 1024 * 1024;

/** The API of one server. It keeps no connection open and needs no end. */
export function createClient(options: ClientOptions): Client {
  const { key, session, userAgent, mapError } = options;
  const settings = {
    base: readServer(options.server),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(session === undefined ? {} : { 'x-session-key': session }),
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    },
    fetch: options.fetch ?? globalThis.fetch,
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? MINUTE_HALF_MS,
    maxWaitMs: options.maxWaitMs ?? MINUTE_HALF_MS,
    maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER,
  };
  const explain = (error: unknown) =>
    error instanceof CrawlerApiError && mapError !== undefined ? mapError(error) : error;
  const send = createCall(settings);
  const call: typeof send = (method, path, parts, given) =>
    send<never>(method, path, parts, given).catch((error: unknown) => {
      throw explain(error);
    });
  const followAll = createFollow(settings, options.WebSocket ?? (globalThis.WebSocket as SocketClass | undefined));
  const follow: Follow = async function* <Data>(...args: Parameters<Follow>): AsyncGenerator<StreamEvent<Data>> {
    try {
      yield* followAll<Data>(...args);
    } catch (error) {
      throw explain(error);
    }
  };
  return {
    ...createApi(call, follow),
    server: settings.base,
    paginate,
    request: (method, path, body, { query, creates, raw, ...given } = {}) =>
      call(method, `/api/v1${path}`, { query, body, ...(creates === true && { creates }), ...(raw && { raw }) }, given),
  };
}

/** Users give the address as they have it: with a slash, or with the path of the API. */
function readServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new CrawlerApiError(`"${url === undefined ? server : url.host}" is not the address of a server`, {
      status: 0,
      code: 'URL_INVALID',
      hint: 'Give an address such as https://crawler.example.com; the key goes into `key`.',
    });
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  return url.origin + (path.endsWith('/api/v1') ? path.slice(0, -'/api/v1'.length) : path);
}
