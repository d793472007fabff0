import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import type { Guard } from '../../web/guard.ts';
import type { Resolve } from './dns.ts';
import { mapNetworkError } from './map-error.ts';

/** Opens connections, and only to addresses the guard has judged. */
export interface Dialer {
  /** The addresses of a host, every one of them allowed at this port; rejects with URL_BLOCKED or DNS_FAILED. */
  judge(host: string, port: number): Promise<string[]>;
  /** Connects to one of the judged addresses, and to nothing else. */
  dial(host: string, port: number): Promise<Socket>;
  /** Starts TLS over a connection, with `host` as server name. */
  secure(socket: Socket, host: string, port: number): Promise<TLSSocket>;
}

const MAX_TRIES = 3;
/** How long an address may keep the next one waiting. */
const NEXT_TRY_MS = 3_000;
const MAX_SESSIONS = 1_000;

export function createDialer(options: { guard: Guard; resolve: Resolve; connectTimeoutMs: number }): Dialer {
  const { guard, resolve, connectTimeoutMs } = options;
  const sessions = new LRUCache<string, Buffer>({ max: MAX_SESSIONS });

  async function judge(host: string, port: number): Promise<string[]> {
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    // One forbidden address among good ones is a DNS rebinding attack: refuse them all.
    for (const address of addresses) {
      const verdict = guard.checkAddress(address, host, port);
      if (!verdict.allowed) throw new AppError('URL_BLOCKED', `${host}: ${verdict.reason}`);
    }
    return addresses;
  }

  async function dial(host: string, port: number): Promise<Socket> {
    const addresses = (await judge(host, port)).slice(0, MAX_TRIES);
    let failure: unknown;
    for (const [index, address] of addresses.entries()) {
      const isLast = index === addresses.length - 1;
      const waitMs = isLast ? connectTimeoutMs : Math.min(NEXT_TRY_MS, connectTimeoutMs);
      try {
        const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true });
        return await settle(socket, 'connect', waitMs, `${host}:${port}`);
      } catch (error) {
        failure = error;
      }
    }
    throw mapNetworkError(failure, `${host}:${port}`);
  }

  async function secure(socket: Socket, host: string, port: number): Promise<TLSSocket> {
    const key = `${host}:${port}`;
    const session = sessions.get(key);
    const tls = connectTls({
      socket,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : { host }),
      ...(session === undefined ? {} : { session }),
    });
    tls.on('session', (ticket) => sessions.set(key, ticket));
    try {
      return await settle(tls, 'secureConnect', connectTimeoutMs, key);
    } catch (error) {
      throw mapNetworkError(error, key);
    }
  }

  return { judge, dial, secure };
}

/** Waits for the socket to be usable; destroys it when it is not in time. */
function settle<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', ms: number, name: string): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(new AppError('TIMEOUT', `${name} did not connect within ${ms} ms`));
    }, ms);
    const finish = (error?: Error) => {
      clearTimeout(timer);
      socket.off(event, onReady).off('error', finish).off('close', onClose);
      if (error === undefined) return resolve(socket);
      // A late error of a connection without a waiter must not end the process.
      socket.on('error', () => {}).destroy();
      reject(error);
    };
    const onReady = () => finish();
    const onClose = () => finish(new AppError('CONNECTION_RESET', `${name} closed the connection`));
    socket.once(event, onReady).once('error', finish).once('close', onClose);
  });
}
