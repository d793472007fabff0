import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { AppError, type ErrorCode, toAppError } from '../errors.ts';
import type { Guard } from './guard.ts';
import { createMeter, type Meter } from './transfer-meter.ts';

/**
 * A proxy on loopback that a browser is made to use for everything. Each target is judged by the guard before a
 * connection is opened, by name and by every address the name has, so no page can reach what a crawl may not.
 */
export interface FilterProxy extends AsyncDisposable {
  /** http://127.0.0.1:port */
  readonly url: string;
  /** Credentials with which one page uses the proxy; every other request is refused. */
  openSession(options: SessionOptions): ProxySession;
}

export interface SessionOptions {
  /** Bytes that may come in over all connections of the session. */
  maxBytes: number;
  /** A proxy to go on through, with its credentials. */
  upstream?: string;
}

export interface ProxySession extends Disposable {
  readonly username: string;
  readonly password: string;
  /** Why the latest try to reach an origin's host and port was refused or failed. */
  failureOf(url: string): AppError | undefined;
  /** The address an origin's host was connected to. */
  addressOf(url: string): string | undefined;
  /** The proxy that connections go on through from now on. */
  upstream: string | undefined;
  /** Set when the session took in more than it may. */
  readonly exceeded: boolean;
}

interface FilterProxyOptions {
  guard: Guard;
  /** Opens a connection to a host, and only to an address the guard has judged for it. */
  connect(host: string, port: number, upstream: string | undefined): Promise<Socket>;
}

interface Session extends ProxySession {
  meter: Meter;
  sockets: Set<Duplex>;
  failures: Map<string, AppError>;
  addresses: Map<string, string>;
}

const HEADER_BYTES = 64 * 1024;
const IDLE_MS = 60_000;
const MAX_FAILURES = 1_000;
/** Fields that belong to one connection and are never forwarded. */
const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

export async function createFilterProxy({ guard, connect }: FilterProxyOptions): Promise<FilterProxy> {
  const sessions = new Map<string, Session>();
  const server = createServer({ maxHeaderSize: HEADER_BYTES, requestTimeout: IDLE_MS });
  const clients = new Set<Socket>();
  server.on('connection', (socket) => {
    clients.add(socket);
    socket.on('close', () => clients.delete(socket));
    socket.on('error', () => {});
  });

  function authenticate(headers: IncomingHttpHeaders): Session | undefined {
    const [scheme, encoded = ''] = (headers['proxy-authorization'] ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'basic') return undefined;
    const pair = Buffer.from(encoded, 'base64').toString();
    const session = sessions.get(pair.slice(0, pair.indexOf(':')));
    const given = Buffer.from(pair.slice(pair.indexOf(':') + 1));
    const expected = Buffer.from(session?.password ?? '');
    return session !== undefined && given.length === expected.length && timingSafeEqual(given, expected)
      ? session
      : undefined;
  }

  async function open(session: Session, url: URL): Promise<Socket> {
    const port = portOf(url);
    const key = `${url.hostname}:${port}`;
    try {
      const verdict = guard.checkUrl(url);
      if (!verdict.allowed) throw new AppError('URL_BLOCKED', `${url.host}: ${verdict.reason}`);
      const socket = await connect(url.hostname.replace(/^\[|\]$/g, ''), port, session.upstream);
      socket.setTimeout(IDLE_MS, () => socket.destroy());
      // The session may have ended meanwhile: nothing it started may outlive it.
      if (sessions.get(session.username) !== session) socket.destroy();
      session.failures.delete(key);
      session.sockets.add(socket);
      socket.on('close', () => session.sockets.delete(socket));
      socket.on('error', () => {});
      if (socket.remoteAddress !== undefined) session.addresses.set(key, socket.remoteAddress);
      return socket;
    } catch (error) {
      const failure = toAppError(error);
      if (session.failures.size < MAX_FAILURES) session.failures.set(key, failure);
      throw failure;
    }
  }

  server.on('connect', async (asked: IncomingMessage, client: Socket, head: Buffer) => {
    const session = authenticate(asked.headers);
    if (session === undefined) return void client.end(REFUSAL_407);
    try {
      const target = URL.parse(`https://${asked.url}`);
      if (target === null || target.pathname !== '/') throw new AppError('URL_INVALID', 'the target is no host');
      const upstream = await open(session, target);
      session.sockets.add(client);
      client.on('close', () => session.sockets.delete(client));
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) upstream.write(head);
      const close = () => {
        client.destroy();
        upstream.destroy();
      };
      pipeline(client, upstream, close);
      pipeline(upstream, session.meter.stream(), client, close);
    } catch (error) {
      const { code } = toAppError(error);
      client.end(`HTTP/1.1 ${statusFor(code)} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    }
  });

  server.on('request', async (asked: IncomingMessage, answer: ServerResponse) => {
    const session = authenticate(asked.headers);
    if (session === undefined)
      return void answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="crawl4r"', 'content-length': 0 }).end();
    try {
      const target = URL.parse(asked.url ?? '');
      if (target?.protocol !== 'http:') throw new AppError('URL_INVALID', 'only http is forwarded');
      const socket = await open(session, target);
      forward(asked, answer, target, socket, session);
    } catch (error) {
      answer.writeHead(statusFor(toAppError(error).code), { connection: 'close', 'content-length': 0 }).end();
    }
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    openSession({ maxBytes, upstream }) {
      const session: Session = {
        username: randomBytes(12).toString('hex'),
        password: randomBytes(24).toString('hex'),
        upstream,
        meter: createMeter(maxBytes),
        sockets: new Set(),
        failures: new Map(),
        addresses: new Map(),
        failureOf: (of) => session.failures.get(keyOf(of)),
        addressOf: (of) => session.addresses.get(keyOf(of)),
        get exceeded() {
          return session.meter.exceeded;
        },
        [Symbol.dispose]() {
          sessions.delete(session.username);
          for (const socket of session.sockets) socket.destroy();
        },
      };
      sessions.set(session.username, session);
      return session;
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions.values()) session[Symbol.dispose]();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}

const REFUSAL_407 =
  'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="crawl4r"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

const statusFor = (code: ErrorCode) => (code === 'URL_BLOCKED' || code === 'URL_INVALID' ? 403 : 502);

const portOf = (url: URL) => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

function keyOf(url: string): string {
  const parsed = new URL(url);
  return `${parsed.hostname}:${portOf(parsed)}`;
}

/** Forwards one plain HTTP request over its own connection. */
function forward(asked: IncomingMessage, answer: ServerResponse, target: URL, socket: Socket, session: Session): void {
  const fail = (cause: unknown) => {
    socket.destroy();
    if (answer.headersSent) return void answer.destroy();
    const failure = new AppError('CONNECTION_RESET', `${target.host} did not answer`, { cause });
    session.failures.set(`${target.hostname}:${portOf(target)}`, failure);
    answer.writeHead(502, { connection: 'close', 'content-length': 0 }).end();
  };
  const sent = request({
    createConnection: () => socket,
    method: asked.method,
    path: target.pathname + target.search,
    headers: { ...withoutHops(asked.headers), host: target.host, connection: 'close' },
    maxHeaderSize: HEADER_BYTES,
  });
  sent.on('error', fail);
  sent.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, withoutHops(response.headers));
    pipeline(response, session.meter.stream(), answer, () => socket.destroy());
  });
  answer.on('close', () => socket.destroy());
  asked.pipe(sent);
}

const withoutHops = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
