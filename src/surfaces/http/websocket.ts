import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError, toAppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { identifyCaller } from '../../operations/access/identify-caller.ts';
import { getCrawl } from '../../operations/crawls/get-crawl.ts';
import { checkAccess } from './authorise.ts';
import type { createSiteCheck } from './check-site.ts';
import { readSession } from './cookies.ts';
import type { CrawlFeed } from './crawl-feed.ts';

const PATH = /^\/api\/v1\/ws\/crawl\/([^/?]+)$/;
const HEARTBEAT_MS = 15_000;

/** `WS /api/v1/ws/crawl/:id`: `{event: "progress", id, data}` whenever the crawl changed, then `{event: "end"}`. */
export function acceptWebSockets(
  server: FastifyInstance,
  app: App,
  feed: CrawlFeed,
  site: ReturnType<typeof createSiteCheck>,
  closing: AbortSignal,
): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1_024 });
  server.server.on('upgrade', async (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    try {
      site.checkHost(request.headers.host ?? '');
      site.checkOwnPage(request.headers, request.headers.host ?? '');
      const id = await admit(app, request);
      sockets.handleUpgrade(request, socket, head, (connection) => {
        const gone = new AbortController();
        const signal = AbortSignal.any([gone.signal, closing]);
        connection.on('close', () => gone.abort());
        connection.on('error', () => gone.abort());
        const heartbeat = setInterval(() => connection.ping(), HEARTBEAT_MS);
        const run = async () => {
          for await (const snapshot of feed.watch(id, signal))
            connection.send(JSON.stringify({ event: 'progress', id: snapshot.id, data: snapshot.crawl }));
          if (!signal.aborted) connection.send(JSON.stringify({ event: 'end' }));
          connection.close(closing.aborted ? 1001 : 1000);
        };
        run()
          .catch(() => connection.close(1011))
          .finally(() => clearInterval(heartbeat));
      });
    } catch (thrown) {
      refuse(socket, toAppError(thrown));
    }
  });
  closing.addEventListener('abort', () => sockets.close());
}

/** The id of a crawl that exists and that the caller may see. */
async function admit(app: App, request: IncomingMessage): Promise<string> {
  const { pathname } = new URL(request.url ?? '/', 'http://local');
  const id = z.uuid().safeParse(PATH.exec(pathname)?.[1]);
  if (!id.success)
    throw new AppError('NOT_FOUND', 'there is nothing at this address', { hint: 'Use /api/v1/ws/crawl/{id}.' });
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const session = readSession(request.headers);
  const caller = await identifyCaller(app, {
    ip: request.socket.remoteAddress ?? '',
    ...(bearer === undefined ? {} : { bearer }),
    ...(session === undefined ? {} : { session }),
  });
  checkAccess(caller, 'read');
  await getCrawl(app, id.data);
  return id.data;
}

function refuse(socket: Duplex, error: AppError): void {
  const masked = error.code === 'INTERNAL_ERROR';
  const body = JSON.stringify({
    error: masked ? 'something went wrong on the server' : error.message,
    code: error.code,
    request_id: newId(),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
  socket.end(
    `HTTP/1.1 ${error.status} Refused\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
