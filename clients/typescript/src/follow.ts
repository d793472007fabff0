import type { CallOptions } from './call.ts';
import { CrawlerApiError } from './error.ts';
import { readSocket, type SocketClass } from './follow-socket.ts';
import { readEventStream } from './follow-stream.ts';
import { pause } from './retry.ts';
import type { SendSettings } from './send.ts';

export interface FollowOptions extends Pick<CallOptions, 'signal' | 'headers'> {
  /** The id of the last event you have: every one since is sent. */
  after?: string | number | undefined;
  /** Server-sent events unless this says otherwise. In browsers a socket cannot send a key; use the stream there. */
  transport?: 'stream' | 'socket' | undefined;
  /** How long it tries to get back to a server that went away, before it ends with the last error. */
  giveUpMs?: number | undefined;
  /** Longest wait before it comes back, whatever the server wishes; 15 s unless given. */
  maxWaitMs?: number | undefined;
  /** Silence after which the connection is taken for dead; the server sends a sign of life every 15 s. */
  idleMs?: number | undefined;
}

export interface StreamEvent<Data = unknown> {
  /** The kind, such as `crawl.progress`. */
  event: string;
  /** Where to go on: `after` of a later call. */
  id: string | undefined;
  data: Data;
}

export interface Places {
  stream: string;
  socket?: string;
  /** Options that are part of the query. */
  query: readonly string[];
}

export type Follow = <Data>(places: Places, options: FollowOptions) => AsyncGenerator<StreamEvent<Data>>;

/** One connection: what it gives, where it starts, and how it ends. */
export interface Connection {
  path: string;
  /** Where a plain request says why a socket was refused. */
  stream: string;
  after: string | undefined;
  query: Record<string, unknown>;
  signal: AbortSignal | undefined;
  headers: Record<string, string> | undefined;
  idleMs: number;
  /** The server's wish of how long to stay away after the end. */
  onRetry(ms: number): void;
}

/** Yields what comes until the server says that nothing more will; throws when the connection ends otherwise. */
export type Transport = (connection: Connection) => AsyncGenerator<StreamEvent>;

const GIVE_UP_MS = 120_000;
const IDLE_MS = 60_000;
const RETRY_MS = 2_000;
const MAX_WAIT_MS = 15_000;

/**
 * Follows events until the server ends the stream. A connection that breaks is opened again after the last event that was
 * handed out, so that each event comes once and none is missed. What a new try cannot mend (no access, no such crawl) is
 * thrown at once.
 */
export function createFollow(settings: SendSettings, WebSocket: SocketClass | undefined): Follow {
  return async function* <Data>(places: Places, options: FollowOptions): AsyncGenerator<StreamEvent<Data>> {
    const { signal, giveUpMs = GIVE_UP_MS, maxWaitMs = MAX_WAIT_MS } = options;
    const transport = chooseTransport(settings, WebSocket, places, options);
    const path = options.transport === 'socket' ? places.socket! : places.stream;
    const given = options as Record<string, unknown>;
    let after = options.after === undefined ? undefined : String(options.after);
    let retryMs = RETRY_MS;
    let [failures, brokeAt] = [0, 0];
    for (;;) {
      try {
        const events = transport({
          path,
          stream: places.stream,
          after,
          query: Object.fromEntries(places.query.map((name) => [name, given[name]])),
          signal,
          headers: options.headers,
          idleMs: options.idleMs ?? IDLE_MS,
          onRetry: (ms) => {
            retryMs = ms;
          },
        });
        for await (const event of events) {
          failures = 0;
          after = event.id ?? after;
          yield event as StreamEvent<Data>;
        }
        return;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (!canComeBack(error)) throw error;
        if (failures++ === 0) brokeAt = performance.now();
        const backoff = Math.min(maxWaitMs, retryMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
        const wait = Math.max(backoff, error.retryAfterMs ?? 0);
        if (performance.now() - brokeAt + wait > giveUpMs) throw error;
        await pause(wait, signal);
      }
    }
  };
}

function chooseTransport(
  settings: SendSettings,
  WebSocket: SocketClass | undefined,
  places: Places,
  { transport }: FollowOptions,
): Transport {
  if (transport !== 'socket') return (connection) => readEventStream(settings, connection);
  if (places.socket === undefined || WebSocket === undefined)
    throw new TypeError('there is no WebSocket for this; use the stream');
  return (connection) => readSocket(settings, WebSocket, connection);
}

/** The server went away, or had no place for another: both pass. */
function canComeBack(error: unknown): error is CrawlerApiError {
  if (!(error instanceof CrawlerApiError)) return false;
  return error.status === 429 || error.status >= 500 || ['CONNECTION_FAILED', 'TIMEOUT'].includes(error.code);
}
