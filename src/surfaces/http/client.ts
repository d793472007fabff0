import { Readable } from 'node:stream';
import type { FastifyInstance, InjectOptions } from 'fastify';

/** The API from the caller's side, by path. */
export interface ApiClient {
  call<Answer>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
}

/** Where a server in this process seems to be; no socket is opened. */
export const IN_PROCESS = 'http://localhost';

/**
 * A `fetch` that hands requests to a server in this process, without a socket. Answers come as they are written, so
 * that streams and large ones work too. The server must treat the caller as trusted.
 */
export function createLocalFetch(server: FastifyInstance): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const injected = await server.inject({
      method: request.method as NonNullable<InjectOptions['method']>,
      url: `${url.pathname}${url.search}`,
      headers: Object.fromEntries(request.headers),
      payloadAsStream: true,
      signal: request.signal,
      ...(body === undefined ? {} : { payload: body }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(injected.headers)) headers.set(name, String(value));
    const empty = injected.statusCode === 204 || injected.statusCode === 304;
    const stream = injected.stream();
    if (empty) stream.resume();
    return new Response(empty ? null : (Readable.toWeb(stream) as ReadableStream), {
      status: injected.statusCode,
      headers,
    });
  };
}
