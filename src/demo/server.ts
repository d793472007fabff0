import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../errors.ts';
import { answer, changedPaths } from './site.ts';

interface LoggedRequest {
  method: string;
  /** With its query. */
  path: string;
  /** Milliseconds since 1970, to a fraction. */
  time: number;
  userAgent: string;
  status: number;
}

export interface DemoSite extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly day: number;
  /** The latest requests, oldest first. */
  readonly log: readonly LoggedRequest[];
  /** A day passes: three prices and two pages change. Returns which. */
  passDay(): { prices: string[]; pages: string[] };
}

const MAX_LOG = 100_000;

/** Starts the demo site on loopback; without a port, on any that is free. */
export async function startDemoSite({ port = 0 }: { port?: number } = {}): Promise<DemoSite> {
  const log: LoggedRequest[] = [];
  const hits = new Map<string, number>();
  let day = 0;
  let origin = '';

  const passDay = () => changedPaths(++day);

  const server = createServer((request, response) => {
    const time = performance.timeOrigin + performance.now();
    const target = request.url ?? '/';
    const path = target.replace(/\?.*$/s, '');
    const method = request.method ?? 'GET';
    response.once('close', () => {
      if (log.length >= MAX_LOG) log.splice(0, MAX_LOG / 2);
      log.push({
        method,
        path: target,
        time,
        userAgent: request.headers['user-agent'] ?? '',
        status: response.statusCode,
      });
    });
    if (path === '/__demo') return sendJson(response, 200, { demo: 'crawl4r', day });
    if (path === '/__demo/next-day') {
      if (method === 'POST') return sendJson(response, 200, { ...passDay(), day });
      return sendJson(response, 405, { error: 'send a POST' });
    }
    if (method !== 'GET' && method !== 'HEAD') return sendJson(response, 405, { error: 'only GET and HEAD' });
    const before = hits.get(path) ?? 0;
    hits.set(path, before + 1);
    send(request, response, answer({ path, origin, day, hits: before }));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'EADDRINUSE'
          ? new AppError('PORT_BUSY', `port ${port} is taken`, { cause, hint: 'Give a free one with --port.' })
          : cause,
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${bound}`;

  return {
    origin,
    port: bound,
    log,
    passDay,
    get day() {
      return day;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether a demo site already answers on this port. */
export async function isDemoSite(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(`http://127.0.0.1:${port}/__demo`, { signal });
    return ((await response.json()) as { demo?: string }).demo === 'crawl4r';
  } catch {
    return false;
  }
}

function send(request: IncomingMessage, response: ServerResponse, reply: ReturnType<typeof answer>): void {
  const body = Buffer.from(reply.body);
  const etag = `"${hash('sha256', body, 'hex').slice(0, 20)}"`;
  const headers = { 'content-type': reply.type, ...(reply.status === 200 && { etag }), ...reply.headers };
  if (reply.status === 200 && request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(reply.status, { ...headers, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(value)}\n`);
}
