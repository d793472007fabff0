import { type AddressInfo, BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const isLocal = (host: string) =>
  isIP(host) === 0 ? host === 'localhost' : LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');

/** Passwords and keys would cross the network in clear: undefined when they do not, else why. */
function findExposure({ host, http }: Settings): string | undefined {
  if (isLocal(host) || http.trustProxy.length > 0) return undefined;
  return `HOST=${host}: everybody who reaches this machine reaches the log-in, without encryption`;
}

/** Refuses to listen where others would read along, unless TLS in front is declared or the owner insists. */
export function refuseExposure(settings: Settings): void {
  const exposure = findExposure(settings);
  if (exposure !== undefined && !settings.http.insecure) throw new AppError('BIND_INSECURE', exposure);
}

/** What the owner insisted on, for the box and the log; undefined when there is nothing to warn of. */
export function warnOfNetwork(settings: Settings): string | undefined {
  const exposure = findExposure(settings);
  return exposure === undefined ? undefined : `${exposure}; put a proxy with TLS in front`;
}

/** Opens the server to callers and says where. With `nextFree`, a busy port means one of the next ones. */
export async function listen(
  server: FastifyInstance,
  options: { host: string; port: number; nextFree?: boolean },
): Promise<{ origin: string; host: string; port: number }> {
  const tries = options.nextFree === true ? 50 : 1;
  for (let port = options.port; port < options.port + tries; port++) {
    try {
      await server.listen({ host: options.host, port });
      const address = server.server.address() as AddressInfo;
      const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      return { origin: `http://${host}:${address.port}`, host: address.address, port: address.port };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE') continue;
      if (code === 'EACCES') throw new AppError('PORT_BUSY', `port ${port} is not open to this user`, { cause: error });
      throw error;
    }
  }
  const last = options.port + tries - 1;
  throw new AppError(
    'PORT_BUSY',
    tries === 1 ? `port ${options.port} is in use` : `ports ${options.port} to ${last} are all in use`,
  );
}
