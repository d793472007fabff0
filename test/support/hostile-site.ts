import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

/** Of a prime length: a piece in a wrong place shows. */
export const PATTERN = 'abcdefghijklmnopqrstuvw';

/** A server that answers in every way a client must survive. `hits` lists the requested paths, in order. */
export interface HostileSite extends AsyncDisposable {
  origin: string;
  port: number;
  hits: string[];
  /** Connections ever taken, and those open now. */
  connections: { total: number; open: number };
  requests: IncomingMessage[];
}

const BOMB_BYTES = 64 * 1024 * 1024;
const zeros = () => Buffer.alloc(BOMB_BYTES);

// Made at the first request: packing takes a moment.
const bombs = new Map<string, Buffer>();
const BOMB_MAKERS: Record<string, () => Buffer> = {
  gzip: () => gzipSync(zeros(), { level: 1 }),
  deflate: () => deflateSync(zeros(), { level: 1 }),
  br: () => brotliCompressSync(zeros(), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: () => zstdCompressSync(zeros()),
  'gzip, gzip': () => gzipSync(gzipSync(zeros(), { level: 1 })),
};

function bomb(encoding: string): Buffer {
  const made = bombs.get(encoding) ?? BOMB_MAKERS[encoding]!();
  bombs.set(encoding, made);
  return made;
}

const ROUTES: Record<string, Route> = {
  '/ok': (request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end(request.method === 'HEAD' ? undefined : 'fine');
  },
  '/echo': (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, headers } = request;
      response.end(JSON.stringify({ method, headers, body: Buffer.concat(chunks).toString() }));
    });
  },
  '/status': (_, response, url) => {
    response.writeHead(Number(url.searchParams.get('code'))).end('body');
  },
  '/redirect': (_, response, url) => {
    const status = Number(url.searchParams.get('code') ?? 302);
    // As servers send addresses beyond ASCII: UTF-8, byte by byte.
    const location = Buffer.from(url.searchParams.get('to') ?? '').toString('latin1');
    response.writeHead(status, { location }).end('moved');
  },
  '/redirect-endless': (_, response, url) => {
    response.writeHead(302, { location: url.searchParams.get('to') ?? '' });
    pour(response);
  },
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/count': (_, response, url) => {
    const left = Number(url.searchParams.get('left'));
    if (left === 0) response.end('there');
    else response.writeHead(301, { location: `/count?left=${left - 1}` }).end();
  },
  '/bomb': (_, response, url) => {
    const encoding = url.searchParams.get('encoding')!;
    response.writeHead(200, { 'content-encoding': encoding }).end(bomb(encoding));
  },
  '/encoded': (_, response, url) => {
    response.writeHead(200, { 'content-encoding': url.searchParams.get('as')! });
    response.end(Buffer.from(url.searchParams.get('body') ?? '', 'base64'));
  },
  '/bytes': (_, response, url) => {
    // What was written before the end goes out in chunks, without a length.
    if (url.searchParams.has('chunked')) response.flushHeaders();
    response.end(Buffer.alloc(Number(url.searchParams.get('count')), PATTERN));
  },
  '/endless': (_, response) => pour(response),
  '/drip': (_, response) => {
    const timer = setInterval(() => response.write('.'), 5);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': () => {},
  '/drip-headers': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    repeat(socket, 5, (count) => `X-Drip-${count}: x\r\n`);
  },
  '/header-flood': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    repeat(socket, 0, (count) => `X-Flood-${count}: ${'x'.repeat(1_000)}\r\n`);
  },
  '/header-endless': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Endless: ');
    repeat(socket, 0, () => 'x'.repeat(10_000));
  },
  '/trailer-flood': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n');
    repeat(socket, 0, (count) => `X-Flood-${count}: ${'x'.repeat(1_000)}\r\n`);
  },
  '/chunk-flood': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;');
    repeat(socket, 0, () => 'x'.repeat(10_000));
  },
  '/hint-flood': ({ socket }) => {
    repeat(socket, 0, () => `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(1_000)}>\r\n\r\n`);
  },
  '/length-twice': ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nfine!'),
  '/length-too-long': ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort'),
  '/length-huge': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\nx');
  },
  '/not-http': ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  '/switch': ({ socket }) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  '/reset': ({ socket }) => socket.resetAndDestroy(),
  '/hints': ({ socket }) =>
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine'),
};

export interface HostileSiteOptions {
  /** The address it listens on. */
  host?: string;
  /** Makes the slow bodies now, not at the first request. */
  prepare?: boolean;
  tls?: { key: Buffer; cert: Buffer };
}

export async function createHostileSite({
  host = '127.0.0.1',
  prepare = false,
  tls,
}: HostileSiteOptions = {}): Promise<HostileSite> {
  if (prepare) for (const encoding of Object.keys(BOMB_MAKERS)) bomb(encoding);
  const sockets = new Set<Socket>();
  const site = { hits: [] as string[], requests: [] as IncomingMessage[], connections: { total: 0, open: 0 } };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://site');
    site.hits.push(url.pathname);
    site.requests.push(request);
    const route = ROUTES[url.pathname];
    if (route === undefined) response.writeHead(404).end('not here');
    else route(request, response, url);
  };
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  server.on('connection', (socket) => {
    site.connections.total++;
    site.connections.open++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      site.connections.open--;
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(site, {
    port,
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Sends without end, as fast as the other side reads. */
function pour(response: ServerResponse): void {
  const block = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', more);
  more();
}

function repeat(socket: Socket, everyMs: number, make: (count: number) => string): void {
  let count = 0;
  const timer = setInterval(() => {
    for (let i = 0; i < (everyMs === 0 ? 20 : 1); i++) socket.write(make(count++));
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}
