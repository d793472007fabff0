import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import { AppError } from '../../errors.ts';
import type { Guard } from '../../web/guard.ts';
import type { Dialer } from './dial.ts';
import { mapNetworkError } from './map-error.ts';
import { dialThroughProxy } from './proxy.ts';

/** Connections to one origin, direct or through one proxy. Its existence means that the guard let the origin pass. */
export interface Site {
  origin: string;
  pool: Pool;
  /** The address of the latest connection. */
  remoteAddress: string | undefined;
}

/** Sites whose connections are kept. The least recently used one closes its own when another takes its place. */
const MAX_SITES = 512;
const MAX_CONNECTIONS_PER_SITE = 256;
const KEEP_ALIVE_MS = 10_000;
const MAX_KEEP_ALIVE_MS = 30_000;

export interface Connections extends AsyncDisposable {
  /** A site that is already open. */
  find(origin: string, proxy: string | undefined): Site | undefined;
  /** Opens a site of an address the guard has passed. */
  open(url: URL, proxy: string | undefined): Site;
}

export function createConnections(options: {
  dialer: Dialer;
  guard: Guard;
  connectTimeoutMs: number;
  maxHeaderBytes: number;
}): Connections {
  const { dialer, guard, connectTimeoutMs, maxHeaderBytes } = options;
  const sites = new LRUCache<string, Site>({
    max: MAX_SITES,
    // Requests under way are finished first.
    dispose: ({ pool }, _, reason) => reason === 'evict' && pool.close().catch(() => {}),
  });
  const keyOf = (origin: string, proxy: string | undefined) => (proxy === undefined ? origin : `${origin} ${proxy}`);

  function open(url: URL, proxy: string | undefined): Site {
    const via = proxy === undefined ? undefined : readProxy(proxy);
    const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    const secure = url.protocol === 'https:';
    const port = Number(url.port) || (secure ? 443 : 80);

    async function connect() {
      if (via === undefined) {
        const socket = await dialer.dial(host, port);
        site.remoteAddress = socket.remoteAddress;
        return secure ? dialer.secure(socket, host, port) : socket;
      }
      const [address] = await dialer.judge(host, port);
      site.remoteAddress = address;
      const target = { address: address!, port };
      const socket = await dialThroughProxy(via, target, { dialer, guard, timeoutMs: connectTimeoutMs });
      return secure ? dialer.secure(socket, host, port) : socket;
    }

    const site: Site = {
      origin: url.origin,
      remoteAddress: undefined,
      pool: new Pool(url.origin, {
        connect: (_, callback) => {
          connect().then(
            (socket) => callback(null, socket),
            (error) => callback(mapNetworkError(error, url.origin), null),
          );
        },
        connections: MAX_CONNECTIONS_PER_SITE,
        pipelining: 1,
        allowH2: false,
        maxHeaderSize: maxHeaderBytes,
        // Each fetch has one deadline of its own.
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      }),
    };
    sites.set(keyOf(url.origin, proxy), site);
    return site;
  }

  return {
    find: (origin, proxy) => sites.get(keyOf(origin, proxy)),
    open,
    async [Symbol.asyncDispose]() {
      const open = [...sites.values()];
      sites.clear();
      await Promise.all(open.map(({ pool }) => pool.destroy()));
    },
  };
}

function readProxy(proxy: string): URL {
  const url = URL.parse(proxy);
  if (url === null) throw new AppError('PROXY_FAILED', 'the proxy address cannot be read');
  return url;
}
