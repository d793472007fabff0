import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A forward proxy that records the requested targets as they were written. */
export interface ProxyServer extends AsyncDisposable {
  /** host:port, without scheme and credentials. */
  authority: string;
  targets: string[];
}

interface ProxyOptions {
  kind: 'http' | 'https' | 'socks5';
  credentials?: string;
  tls?: { key: Buffer; cert: Buffer };
  /** Instead of connecting: an HTTP status, or a SOCKS reply. */
  refusal?: number;
}

export async function createProxyServer(options: ProxyOptions): Promise<ProxyServer> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
    const pump =
      options.kind === 'socks5' ? serveSocks(socket, options, targets) : serveConnect(socket, options, targets);
    pump.catch(() => socket.destroy());
  };
  const server: Server = options.tls === undefined ? createServer(serve) : createTlsServer(options.tls, serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    targets,
    authority: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serveConnect(socket: Socket, { credentials, refusal }: ProxyOptions, targets: string[]): Promise<void> {
  const head = (await nextChunk(socket)).toString();
  const target = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head)?.[1] ?? '';
  targets.push(target);
  const expected = `Proxy-Authorization: Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
  if (credentials !== undefined && !head.includes(expected)) return void socket.end('HTTP/1.1 407 Log in\r\n\r\n');
  if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
  const [, host, port] = /^\[?([^\]]+)\]?:(\d+)$/.exec(target)!;
  join(socket, host!, Number(port), 'HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n');
}

async function serveSocks(socket: Socket, { credentials, refusal }: ProxyOptions, targets: string[]): Promise<void> {
  const greeting = await nextChunk(socket);
  const offersLogin = greeting.subarray(2).includes(2);
  if (credentials !== undefined) {
    if (!offersLogin) return void socket.end(Buffer.from([5, 0xff]));
    socket.write(Buffer.from([5, 2]));
    const login = await nextChunk(socket);
    const name = login.subarray(2, 2 + login[1]!).toString();
    const word = login.subarray(3 + login[1]!).toString();
    if (`${name}:${word}` !== credentials) return void socket.end(Buffer.from([1, 1]));
    socket.write(Buffer.from([1, 0]));
  } else socket.write(Buffer.from([5, 0]));
  const request = await nextChunk(socket);
  const host = request[3] === 1 ? request.subarray(4, 8).join('.') : `kind ${request[3]}`;
  const port = request.readUInt16BE(8);
  targets.push(`${host}:${port}`);
  if (refusal !== undefined) return void socket.end(Buffer.from([5, refusal, 0, 1, 0, 0, 0, 0, 0, 0]));
  join(socket, host, port, Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
}

function join(socket: Socket, host: string, port: number, greeting: string | Buffer): void {
  const upstream = connect(port, host, () => socket.write(greeting));
  upstream.on('error', () => socket.destroy());
  upstream.pipe(socket).pipe(upstream);
}

const nextChunk = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      resolve(chunk);
    });
    socket.once('close', () => reject(new Error('closed')));
    socket.resume();
  });
