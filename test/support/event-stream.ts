import assert from 'node:assert/strict';
import { WebSocket } from 'ws';

export interface Heard {
  event: string;
  id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of any shape
  data: any;
}

export interface StreamClient {
  heard: Heard[];
  /** Resolves when the stream is over, whichever side ended it; for a socket with its close code. */
  closed: Promise<number | undefined>;
  /** Resolves with the heard so far, once `holds`. */
  until(holds: (heard: readonly Heard[]) => boolean): Promise<Heard[]>;
  /** Ends the connection without a word. */
  cut(): void;
}

function createHearing() {
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  const hear = (entry: Heard) => {
    heard.push(entry);
    for (const look of waiting) look();
  };
  const until = (holds: (heard: readonly Heard[]) => boolean) =>
    new Promise<Heard[]>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`in vain: ${JSON.stringify(heard)}`)), 30_000);
      const look = () => {
        if (!holds(heard)) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(heard);
      };
      waiting.add(look);
      look();
    });
  return { heard, until, hear };
}

/** Resolves as `closed` does. A connection that stays open fails the test instead of holding it up. */
export async function untilClosed({ closed, heard }: StreamClient): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const inVain = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({ message: `still open: ${JSON.stringify(heard)}` })),
      20_000,
    );
  });
  return Promise.race([closed, inVain]).finally(() => clearTimeout(timer));
}

/** A client of server-sent events that keeps what it hears, with an API key or headers of its own. Resolves once the stream is open. */
export async function openStream(
  origin: string,
  path: string,
  caller: string | Record<string, string>,
  lastEventId?: string | number,
): Promise<StreamClient> {
  const { heard, until, hear } = createHearing();
  const stop = new AbortController();
  const response = await fetch(`${origin}/api/v1${path}`, {
    signal: stop.signal,
    headers: {
      ...(typeof caller === 'string' ? { authorization: `Bearer ${caller}` } : caller),
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8', String(response.status));
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) {
        const fields = new Map(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
        const event = fields.get('event');
        if (event !== undefined) hear({ event, id: fields.get('id'), data: JSON.parse(fields.get('data')!) });
      }
    }
  };
  const closed = read().then(
    () => undefined,
    () => undefined,
  );
  return { heard, until, closed, cut: () => stop.abort() };
}

/** The same over a WebSocket. */
export async function openSocket(origin: string, path: string, key: string): Promise<StreamClient> {
  const { heard, until, hear } = createHearing();
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  socket.on('message', (text) => hear({ id: undefined, data: undefined, ...JSON.parse(String(text)) }));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise<void>((resolve, reject) => socket.on('open', resolve).on('error', reject));
  return { heard, until, closed, cut: () => socket.terminate() };
}

/** Requests a socket that is refused: the status of the answer. */
export function refusedSocket(origin: string, path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1${path}`, { headers });
  return new Promise((resolve, reject) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('open', () => {
      socket.terminate();
      reject(new Error('it was let in'));
    });
  });
}
