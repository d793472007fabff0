/**
 * Sends requests over connections that are kept open, one at a time on each, and measures how long each answer takes.
 * Works on bare sockets: an HTTP client would cost more than the servers it measures, and both would look alike. Orders come
 * as JSON lines on standard input, one result line for each.
 */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { percentile } from './search-data.ts';

export interface LoadOrder {
  port: number;
  /** Whole requests as they are written to the connection; each connection goes through them in turn. */
  requests: string[];
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  statuses: Record<string, number>;
}

async function run({ port, requests, connections, seconds }: LoadOrder): Promise<LoadResult> {
  const texts = requests.map((text) => Buffer.from(text));
  const took: number[] = [];
  const statuses: Record<string, number> = {};
  const started = performance.now();
  const until = started + seconds * 1_000;
  const sockets: Socket[] = [];
  await Promise.all(
    Array.from({ length: connections }, (_, first) => talk(port, texts, first, until, took, statuses, sockets)),
  );
  const spent = (performance.now() - started) / 1_000;
  for (const socket of sockets) socket.destroy();
  return {
    requests: took.length,
    seconds: Math.round(spent * 100) / 100,
    per_second: Math.round(took.length / spent),
    p50_ms: percentile(took, 0.5),
    p99_ms: percentile(took, 0.99),
    statuses,
  };
}

/** One connection: sends the next request when the answer to the last one is complete. */
function talk(
  port: number,
  texts: readonly Buffer[],
  first: number,
  until: number,
  took: number[],
  statuses: Record<string, number>,
  sockets: Socket[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    sockets.push(socket);
    let [next, sentAt, missing] = [first, 0, -1];
    let head: Buffer = Buffer.alloc(0);
    const send = () => {
      if (performance.now() >= until) return resolve();
      head = Buffer.alloc(0);
      missing = -1;
      sentAt = performance.now();
      socket.write(texts[next++ % texts.length]!);
    };
    socket.on('connect', send);
    socket.on('data', (bytes: Buffer) => {
      if (missing < 0) {
        head = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const text = head.toString('latin1', 0, end);
        const status = text.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        const length = status === '304' ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
        if (Number.isNaN(length)) return reject(new Error(`an answer without a length: ${text}`));
        missing = length - (head.length - end - 4);
      } else missing -= bytes.length;
      if (missing > 0) return;
      took.push(performance.now() - sentAt);
      send();
    });
    socket.on('error', reject);
    socket.on('close', () =>
      performance.now() < until ? reject(new Error('the server closed a connection')) : undefined,
    );
  });
}

console.log(JSON.stringify({ ready: true }));
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await run(JSON.parse(line) as LoadOrder)));
