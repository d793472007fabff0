import { type AddressInfo, BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** A warning when the server is reachable from the network; undefined when only this machine reaches it. */
export function warnOfNetwork(host: string): string | undefined {
  const local = isIP(host) === 0 ? host === 'localhost' : LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
  return local
    ? undefined
    : `HOST=${host}: everybody who reaches this machine reaches the log-in, without encryption; put a proxy with TLS in front`;
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
