import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';

/** When an event was last received, and by how many. */
export interface Arrival {
  listeners: number;
  lastMs: number;
}

export interface Listeners {
  arrivals: Map<number, Arrival>;
  /** Listeners that received ids which do not rise. */
  disordered: number;
  open: number;
  close(): void;
}

const now = () => performance.timeOrigin + performance.now();

/** So many streams and sockets, in turns, that only look at the ids they receive: parsing would cost more than sending. */
export async function openListeners(
  count: number,
  origins: readonly string[],
  key: string,
  paths: { stream: string; socket: string },
): Promise<Listeners> {
  const listeners: Listeners = { arrivals: new Map(), disordered: 0, open: 0, close: () => {} };
  const closers: (() => void)[] = [];
  listeners.close = () => {
    for (const close of closers) close();
  };
  const createReader = () => {
    let last = 0;
    return (id: number) => {
      if (id <= last) listeners.disordered++;
      last = id;
      const arrival = listeners.arrivals.get(id) ?? { listeners: 0, lastMs: 0 };
      listeners.arrivals.set(id, { listeners: arrival.listeners + 1, lastMs: now() });
    };
  };
  for (let at = 0; at < count; at += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, count - at) }, async (_, step) => {
        const nth = at + step;
        const origin = origins[Math.floor(nth / 2) % origins.length]!;
        closers.push(
          nth % 2 === 0
            ? await openStream(origin, paths.stream, key, createReader())
            : await openSocket(origin, paths.socket, key, createReader()),
        );
        listeners.open++;
      }),
    );
  return listeners;
}

export function requestStream(origin: string, path: string, key: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return socket;
}

async function openStream(origin: string, path: string, key: string, read: (id: number) => void): Promise<() => void> {
  const socket = requestStream(origin, path, key);
  socket.setEncoding('latin1');
  let rest = '';
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new Error('the stream was refused')));
    socket.on('data', (chunk) => {
      const text = rest + String(chunk);
      const end = text.lastIndexOf('\n\n');
      rest = text.slice(end + 1);
      for (const [, id] of text.slice(0, end + 1).matchAll(/^id: (\d+)$/gm)) read(Number(id));
      if (text.startsWith('HTTP/1.1 ') && !text.startsWith('HTTP/1.1 200')) reject(new Error(text.slice(0, 80)));
      resolve();
    });
  });
  return () => socket.destroy();
}

async function openSocket(origin: string, path: string, key: string, read: (id: number) => void): Promise<() => void> {
  const headers = { authorization: `Bearer ${key}` };
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1${path}`, { headers, perMessageDeflate: false });
  socket.on('message', (text) => {
    const id = /"id":"(\d+)"/.exec(String(text).slice(0, 80))?.[1];
    if (id !== undefined) read(Number(id));
  });
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => {});
  return () => socket.terminate();
}
