import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WebServer extends AsyncDisposable {
  /** http://127.0.0.1:port */
  origin: string;
  port: number;
  /** Requested paths, in order. */
  asked: string[];
}

/** A site on loopback that answers as `handle` says. */
export async function startWebServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<WebServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
