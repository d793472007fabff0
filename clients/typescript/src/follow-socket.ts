import { queryOf } from './call.ts';
import { CrawlerApiError } from './error.ts';
import type { Connection, StreamEvent } from './follow.ts';
import { checkEnd } from './follow-stream.ts';
import { open, type SendSettings } from './send.ts';

/** What is used of a WebSocket. The second argument is Node's own: browsers cannot send headers with one. */
export interface Socket {
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  close(): void;
}
export type SocketClass = new (url: string, options?: { headers: Record<string, string> }) => Socket;

/** A reader that falls behind by so many messages is cut off, and comes back where it was. */
const MAX_WAITING = 10_000;
const REVOKED = 1008;
/** Reasons of our own, outside of what the protocol uses. */
const FULL = -1;
const SILENT = -2;

/**
 * The events of one WebSocket. Its signs of life are not visible to a program: after `idleMs` without a message it is
 * closed, and the caller opens another after the last event.
 */
export async function* readSocket(
  settings: SendSettings,
  WebSocket: SocketClass,
  connection: Connection,
): AsyncGenerator<StreamEvent> {
  const { path, query, after, signal, idleMs } = connection;
  const url = `${settings.base.replace(/^http/, 'ws')}${path}${queryOf({ ...query, after })}`;
  const socket = new WebSocket(url, { headers: { ...settings.headers, ...connection.headers } });
  const waiting: unknown[] = [];
  let opened = false;
  let closed: number | undefined;
  let wake = () => {};
  const stop = () => wake();
  socket.addEventListener('open', () => {
    opened = true;
  });
  socket.addEventListener('message', ({ data }) => {
    if (waiting.length < MAX_WAITING) waiting.push(data);
    else closed ??= FULL;
    wake();
  });
  socket.addEventListener('error', stop);
  socket.addEventListener('close', ({ code }) => {
    closed ??= code;
    wake();
  });
  signal?.addEventListener('abort', stop);
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (waiting.length > 0) {
        const { event, id, data } = readMessage(waiting.shift());
        if (event === 'end') return checkEnd(data);
        yield { event, id, data };
      } else if (closed !== undefined) {
        if (!opened) await sayWhyRefused(settings, connection);
        throw closeError(closed);
      } else {
        const timer = setTimeout(() => {
          closed ??= SILENT;
          wake();
        }, idleMs);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        clearTimeout(timer);
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    socket.close();
  }
}

/** A program cannot see the status a socket was refused with. The stream of the same events is refused for the same reason. */
async function sayWhyRefused(settings: SendSettings, { stream, query, signal, headers }: Connection): Promise<void> {
  const response = await open(settings, `${stream}${queryOf(query)}`, { signal, headers }, { method: 'GET' });
  await response.body?.cancel().catch(() => undefined);
}

function readMessage(text: unknown): StreamEvent {
  try {
    const { event, id, data } = JSON.parse(String(text)) as StreamEvent;
    return { event, id, data };
  } catch (cause) {
    throw new CrawlerApiError('the socket has a message that is not JSON', {
      status: 0,
      code: 'ANSWER_INVALID',
      cause,
    });
  }
}

const closeError = (code: number) =>
  code === REVOKED
    ? new CrawlerApiError('the server closed the socket: the key or the login no longer allows it', {
        status: 401,
        code: 'AUTH_REQUIRED',
      })
    : new CrawlerApiError(`the socket was closed (${code})`, { status: 0, code: 'CONNECTION_FAILED' });
