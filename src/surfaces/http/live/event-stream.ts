import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import type { Connection } from './connection.ts';

/** Server-sent events on a reply that is ours from now on. */
export function openEventStream(reply: FastifyReply): Connection {
  reply.hijack();
  const { raw } = reply;
  raw.on('error', () => raw.destroy());
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Kept alive after its end, it would delay the closing of the server.
    connection: 'close',
    // Makes proxies forward each event at once.
    'x-accel-buffering': 'no',
  });
  raw.write('retry: 2000\n\n');
  return {
    send: ({ name, id, text }) => {
      raw.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${text}\n\n`);
    },
    beat: () => void raw.write(': still here\n\n'),
    buffered: () => raw.writableLength,
    async drained(ms) {
      if (raw.writableNeedDrain) await once(raw, 'drain', { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
    },
    close(reason) {
      if (reason === 'end') raw.write('event: end\ndata: {}\n\n');
      if (reason === 'revoked') raw.write('event: end\ndata: {"code":"AUTH_REQUIRED"}\n\n');
      raw.end();
    },
    drop: () => void raw.destroy(),
  };
}
