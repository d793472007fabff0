import { createWriteStream, type WriteStream } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { pagePath, renderPage } from './site-pages.ts';

/**
 * The benchmark site as a process of its own. Every response is rendered before the first request, and requests are
 * read by hand from the socket, so that the server takes as little of the machine as can be.
 *
 *   --pages N         how many pages (5000)
 *   --hosts N         loopback addresses 127.0.0.1 … 127.0.0.N, each a domain of its own (1)
 *   --port N          the port on all of them (any free one)
 *   --log FILE        one JSON line per request: {"t": ms since 1970, "h": host, "p": path}
 *   --crawl-delay S   seconds in robots.txt
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

const robots = [
  'User-agent: *',
  ...(values['crawl-delay'] === undefined ? [] : [`Crawl-delay: ${values['crawl-delay']}`]),
  values.disallow ? 'Disallow: /private/' : 'Disallow:',
].join('\n');

const answers = new Map<string, Buffer>([['/robots.txt', response('200 OK', 'text/plain', `${robots}\n`)]]);
let bytes = 0;
for (let index = 0; index < pages; index++) {
  const page = renderPage(index, pages, values.disallow ? [`/private/${index}`] : []);
  bytes += page.length;
  answers.set(pagePath(index), response('200 OK', 'text/html; charset=utf-8', page));
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

function serve(socket: Socket): void {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  let pending = '';
  socket.on('data', (chunk) => {
    const arrived = performance.timeOrigin + performance.now();
    pending += chunk.toString('latin1');
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      const head = pending.slice(0, end);
      pending = pending.slice(end + 4);
      const path = head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/'));
      if (log !== undefined) {
        const host = /\r\nhost: *([^\r]+)/i.exec(head)?.[1] ?? '';
        logged.push(`${JSON.stringify({ t: arrived, h: host, p: path })}\n`);
      }
      const answer = answers.get(path) ?? notFound;
      if (latencyMs > 0) setTimeout(() => socket.write(answer), latencyMs);
      else socket.write(answer);
    }
  });
}

const servers: Server[] = [];
let port = Number(values.port);
for (let number = 1; number <= hosts; number++) {
  const server = createServer(serve);
  const host = `127.0.${Math.floor(number / 250)}.${number % 250}`;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, 511, resolve));
  port = (server.address() as AddressInfo).port;
  servers.push(server);
}
const origins = servers.map((server) => `http://${(server.address() as AddressInfo).address}:${port}`);
console.log(JSON.stringify({ port, pages, bytes_per_page: Math.round(bytes / pages), origins }));

function stop(): void {
  flushLog();
  if (log === undefined) process.exit(0);
  log.end(() => process.exit(0));
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.stdin.resume().once('end', stop).once('error', stop);
