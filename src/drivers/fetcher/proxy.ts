import { isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../../errors.ts';
import type { Guard } from '../../web/guard.ts';
import type { Dialer } from './dial.ts';

/**
 * A connection to `address`:`port` through a proxy. The proxy's own address passes the same guard as any other. It is
 * given the address that was judged, never a name, so that it cannot resolve the name to somewhere else; the name
 * reaches the site in the Host field and in the TLS handshake.
 */
export async function dialThroughProxy(
  proxy: URL,
  target: { address: string; port: number },
  tools: { dialer: Dialer; guard: Guard; timeoutMs: number },
): Promise<Socket> {
  const host = proxy.hostname.startsWith('[') ? proxy.hostname.slice(1, -1) : proxy.hostname;
  const port = Number(proxy.port) || DEFAULT_PORTS[proxy.protocol];
  if (host === '' || port === undefined) throw new AppError('PROXY_FAILED', 'the proxy address is not usable');
  const verdict = tools.guard.checkUrl(new URL(`http://${proxy.hostname}:${port}`));
  if (!verdict.allowed) throw new AppError('URL_BLOCKED', `proxy ${host}: ${verdict.reason}`);

  let socket: Socket | undefined;
  try {
    socket = await tools.dialer.dial(host, port);
    if (proxy.protocol === 'https:') socket = await tools.dialer.secure(socket, host, port);
    const shakeHands = proxy.protocol.startsWith('socks5') ? greetSocks : greetHttp;
    await withDeadline(socket, tools.timeoutMs, shakeHands(socket, target, credentialsOf(proxy)));
    return socket;
  } catch (error) {
    socket?.on('error', () => {}).destroy();
    if (
      error instanceof AppError &&
      (error.code === 'URL_BLOCKED' || (error.code === 'CONNECT_FAILED' && socket !== undefined))
    )
      throw error;
    throw new AppError('PROXY_FAILED', `proxy ${host}:${port}: ${(error as Error).message}`, { cause: error });
  }
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443, 'socks5:': 1080, 'socks5h:': 1080 };
const MAX_GREETING = 16 * 1024;

interface Target {
  address: string;
  port: number;
}
interface Credentials {
  username: string;
  password: string;
}

const credentialsOf = (proxy: URL): Credentials | undefined =>
  proxy.username === ''
    ? undefined
    : { username: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };

async function greetHttp(socket: Socket, { address, port }: Target, credentials?: Credentials): Promise<void> {
  const authority = `${isIPv4(address) ? address : `[${address}]`}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (credentials !== undefined) {
    const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
    lines.push(`Proxy-Authorization: Basic ${pair}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const answer = await readUntil(socket, (bytes) => {
    const end = bytes.indexOf('\r\n\r\n');
    return end < 0 ? undefined : end + 4;
  });
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer.toString('latin1'))?.[1];
  if (status === undefined || status[0] !== '2') throw new Error(`it answered ${status ?? 'no HTTP'} to CONNECT`);
}

const SOCKS_UNREACHABLE: Record<number, string> = { 3: 'network unreachable', 4: 'host unreachable', 5: 'refused' };

/** RFC 1928, with user name and password of RFC 1929. */
async function greetSocks(socket: Socket, { address, port }: Target, credentials?: Credentials): Promise<void> {
  socket.write(credentials === undefined ? Buffer.from([5, 1, 0]) : Buffer.from([5, 2, 0, 2]));
  const [version, method] = await readExactly(socket, 2);
  if (version !== 5) throw new Error('it does not speak SOCKS 5');
  if (method === 2 && credentials !== undefined) {
    const [name, word] = [Buffer.from(credentials.username), Buffer.from(credentials.password)];
    if (name.length > 255 || word.length > 255) throw new Error('its user name or password is too long');
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([word.length]), word]));
    const [, refused] = await readExactly(socket, 2);
    if (refused !== 0) throw new Error('it refused the user name and password');
  } else if (method !== 0) throw new Error('it offers no way to log in that is known here');

  const bytes = ipaddr.parse(address).toByteArray();
  socket.write(Buffer.from([5, 1, 0, bytes.length === 4 ? 1 : 4, ...bytes, port >> 8, port & 0xff]));
  const [, reply, , kind] = await readExactly(socket, 4);
  if (reply !== 0) {
    const unreachable = SOCKS_UNREACHABLE[reply!];
    if (unreachable !== undefined) throw new AppError('CONNECT_FAILED', `through the proxy: ${unreachable}`);
    throw new Error(`it answered ${reply} to CONNECT`);
  }
  const size = kind === 1 ? 4 : kind === 4 ? 16 : (await readExactly(socket, 1))[0]!;
  await readExactly(socket, size + 2);
}

const readExactly = (socket: Socket, count: number): Promise<Buffer> =>
  readUntil(socket, (bytes) => (bytes.length < count ? undefined : count));

/** Reads until `measure` says how many bytes belong to the answer; what came after them goes back to the socket. */
function readUntil(socket: Socket, measure: (bytes: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const finish = (error: Error | undefined, length = 0) => {
      socket.off('readable', read).off('error', finish).off('end', onEnd).off('close', onEnd);
      if (error !== undefined) return reject(error);
      if (length < bytes.length) socket.unshift(bytes.subarray(length));
      resolve(bytes.subarray(0, length));
    };
    const onEnd = () => finish(new Error('it closed the connection'));
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
        bytes = Buffer.concat([bytes, chunk]);
        const length = measure(bytes);
        if (length !== undefined) return finish(undefined, length);
        if (bytes.length > MAX_GREETING) return finish(new Error('its answer is too long'));
      }
    };
    socket.on('readable', read).once('error', finish).once('end', onEnd).once('close', onEnd);
    read();
  });
}

async function withDeadline(socket: Socket, ms: number, work: Promise<void>): Promise<void> {
  const timer = setTimeout(() => socket.destroy(new Error(`it did not answer within ${ms} ms`)), ms);
  try {
    await work;
  } finally {
    clearTimeout(timer);
  }
}
