import { createWriteStream, type WriteStream } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { pagePath, renderPage } from './site-pages.ts';

/**
 * The benchmark site as a process of its own. Every response is rendered before the first request, and requests are
 * read by hand from the socket, so that the server takes as little of the machine as can be.
 *
 *   --pages N         how many pages (5000)
 *   --hosts N         loopback addresses 127.0.0.1 … 127.0.0.N, each a domain of its own (1)
 *   --port N          the port on all of them (any free one)
 *   --log FILE        one JSON line per request when it has ended: {"s": earliest and "t": latest moment it may have come,
 *                     in ms since 1970, "e": its answer was written, or the connection was gone, "h": host, "p": path}
 *   --crawl-delay S   seconds in robots.txt
 *   --delayed N       only the first N hosts have it (all)
 *   --redirects       every tenth page has moved: on its host, or to the next one, in turns
 *   --disallow        robots.txt forbids /private/, and every page links there once
 *   --latency MS      time an answer takes
 *
 * Prints one JSON line with port and hosts when it is ready, and ends at SIGTERM or when its standard input ends.
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5000' },
    hosts: { type: 'string', default: '1' },
    port: { type: 'string', default: '0' },
    log: { type: 'string' },
    'crawl-delay': { type: 'string' },
    delayed: { type: 'string', default: 'Infinity' },
    redirects: { type: 'boolean', default: false },
    disallow: { type: 'boolean', default: false },
    latency: { type: 'string', default: '0' },
  },
});
const pages = Number(values.pages);
const hosts = Number(values.hosts);
const latencyMs = Number(values.latency);

const response = (status: string, type: string, body: string) =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: keep-alive\r\n\r\n${body}`,
  );

const robots = (delay: string | undefined) =>
  response(
    '200 OK',
    'text/plain',
    `User-agent: *\n${delay === undefined ? '' : `Crawl-delay: ${delay}\n`}Disallow:${values.disallow ? ' /private/' : ''}\n`,
  );
const delayedRobots = robots(values['crawl-delay']);
const openRobots = robots(undefined);

const answers = new Map<string, Buffer>();
let bytes = 0;
for (let index = 0; index < pages; index++) {
  const page = renderPage(index, pages, values.disallow ? [`/private/${index}`] : []);
  bytes += page.length;
  answers.set(pagePath(index), response('200 OK', 'text/html; charset=utf-8', page));
  if (values.redirects && index % 10 === 7) answers.set(`/moved/${index}`, answers.get(pagePath(index))!);
}
answers.set('/', answers.get(pagePath(0))!);
const notFound = response('404 Not Found', 'text/plain', 'nothing here\n');

const log: WriteStream | undefined =
  values.log === undefined ? undefined : createWriteStream(values.log, { flags: 'a' });
let logged: string[] = [];
function flushLog(): void {
  if (logged.length > 0) log?.write(logged.join(''));
  logged = [];
}
if (log !== undefined) setInterval(flushLog, 100).unref();

const now = () => performance.timeOrigin + performance.now();
const origins: string[] = [];

/** What `host`, counted from 0, answers. */
function findAnswer(host: number, path: string): Buffer {
  if (path === '/robots.txt') return host < Number(values.delayed) ? delayedRobots : openRobots;
  const index = Number(path.slice('/page/'.length));
  if (!values.redirects || !path.startsWith('/page/') || index % 10 !== 7) return answers.get(path) ?? notFound;
  const target = index % 20 === 7 ? '' : origins[(host + 1) % origins.length];
  return Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${target}/moved/${index}\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * When requests were last read for certain. On a busy machine the process may be held up: what it then reads has come at some
 * moment since. Two beats ago, as the last one may have come after the hold-up and before the reading.
 */
const beats: [number, number] = [now(), now()];
if (log !== undefined) setInterval(() => beats.splice(0, 2, beats[1], now()), 2).unref();

/** Requests that have arrived and have no answer yet, with what ends them. */
const underWay = new Set<() => void>();

function serve(socket: Socket, host: number): void {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  const open = new Set<() => void>();
  socket.once('close', () => {
    for (const end of open) end();
  });

  function answer(path: string, s: number, t: number): void {
    const end = () => {
      if (!open.delete(end)) return;
      underWay.delete(end);
      if (log !== undefined)
        logged.push(`${JSON.stringify({ s, t, e: now(), h: new URL(origins[host]!).host, p: path })}\n`);
    };
    open.add(end);
    underWay.add(end);
    const write = () => {
      end();
      socket.write(findAnswer(host, path));
    };
    if (latencyMs > 0) setTimeout(write, latencyMs);
    else write();
  }

  let pending = '';
  socket.on('data', (chunk) => {
    const arrived = now();
    pending += chunk.toString('latin1');
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      const head = pending.slice(0, end);
      pending = pending.slice(end + 4);
      answer(head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/')), beats[0], arrived);
    }
  });
}

// Whoever judges when requests came must not be held up by those it judges.
try {
  if (log !== undefined) setPriority(-10);
} catch {
  // Not everybody may.
}

let port = Number(values.port);
for (let number = 1; number <= hosts; number++) {
  const server = createServer((socket) => serve(socket, number - 1));
  const host = `127.0.${Math.floor(number / 250)}.${number % 250}`;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, 511, resolve));
  port = (server.address() as AddressInfo).port;
  origins.push(`http://${host}:${port}`);
}
console.log(JSON.stringify({ port, pages, bytes_per_page: Math.round(bytes / pages), origins }));

function stop(): void {
  for (const end of underWay) end();
  flushLog();
  if (log === undefined) process.exit(0);
  log.end(() => process.exit(0));
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.stdin.resume().once('end', stop).once('error', stop);
