import multipart from '@fastify/multipart';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { readSnapshot } from '../../db/admin/snapshot.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { answerError } from './answer-error.ts';
import { createSiteCheck } from './check-site.ts';
import { dropUnread, limitConnections, serverOptions } from './connections.ts';
import { declaresStatus } from './declared.ts';
import { isKnown, REVALIDATED, toEtag } from './etag.ts';
import { sendHeaders } from './headers.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { createKeyUses } from './key-uses.ts';
import { createKnownCallers } from './known-callers.ts';
import { createLive } from './live/live.ts';
import { buildOpenApi } from './openapi.ts';
import { createRateLimiter } from './rate-limit.ts';
import { registerRoute } from './register-route.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { registerPages } from './static.ts';

const PREFIX = '/api/v1';
const MAX_BODY = 10 * 1024 * 1024;
const CLOSE_MS = 1_000;

export interface ServerOptions {
  /** Milliseconds since 1970; tests bring their own. */
  now?: () => number;
  routes?: readonly Route[];
  /** Takes every caller for the owner. Only for a server that does not listen. */
  trusted?: boolean;
}

/** The HTTP surface over an app: routes from the table, one shape of error, and the pages. It does not listen yet. */
export function createServer(app: App, options: ServerOptions = {}): FastifyInstance {
  const routes = options.routes ?? ROUTES;
  const server = Fastify({
    logger: false,
    bodyLimit: MAX_BODY,
    trustProxy: app.settings.http.trustProxy.length > 0 ? app.settings.http.trustProxy : false,
    ...serverOptions(app.settings.http),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: true },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : newId();
    },
    frameworkErrors: (error, request, reply) => {
      sendHeaders(request, reply);
      answerError(error, request, reply, app.log);
    },
  });
  limitConnections(server.server, app.settings.http, app.log);
  const { maxHeaders } = app.settings.http;
  const site = createSiteCheck(app.settings);
  const closing = new AbortController();
  const uses = createKeyUses(app);
  const now = options.now ?? Date.now;
  const callers = createKnownCallers(app, now);
  const limiter = createRateLimiter({ counters: app.counters, log: app.log, now });
  const answers = createKeptAnswers({ version: () => readSnapshot(app.database) });
  const trusted = options.trusted === true;
  const live = createLive(app, { closing: closing.signal, trusted });

  // An empty JSON body is a body of defaults, not an error; everything else is as Fastify has it.
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body as string, done),
  );
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('timeout', dropUnread);
    sendHeaders(request, reply);
    checkHead(request, maxHeaders);
    site.checkHost(request.host);
    site.checkWrite(request.method, request.headers, request.host);
    // A browser opens sockets to anywhere, from any page.
    if (request.headers.upgrade !== undefined) site.checkOwnPage(request.headers, request.host);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    app.log.info('request', {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
    const { entry } = request.routeOptions.config;
    if (entry !== undefined && !declaresStatus(entry, reply.statusCode))
      app.log.warn('undeclared_status', { request_id: request.id, operation: entry.id, status: reply.statusCode });
    // A refused upgrade leaves a connection without a reader.
    if (request.headers.upgrade !== undefined) request.raw.socket.destroy();
    done();
  });
  server.addHook('preClose', async () => closing.abort());
  server.addHook('onClose', async () => {
    await live[Symbol.asyncDispose]();
    await uses[Symbol.asyncDispose]();
    await callers[Symbol.asyncDispose]();
  });
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply, app.log));
  const refuseAddress = (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsOf(routes, request.url.split('?', 1)[0]!);
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    const error =
      allowed.length > 0
        ? new AppError('METHOD_NOT_ALLOWED', `${request.method} does not work here`, {
            hint: `Use ${allowed.join(' or ')}.`,
          })
        : new AppError('NOT_FOUND', 'there is nothing at this address', { hint: 'All routes are listed at /docs.' });
    return answerError(error, request, reply, app.log);
  };
  // The hook runs before the body is read; the handler is there for requests that run no hooks.
  server.addHook('onRequest', async (request, reply) => (request.is404 ? refuseAddress(request, reply) : undefined));
  server.setNotFoundHandler(refuseAddress);

  const wiring = { app, routes, uses, live, closing: closing.signal, callers, limiter, answers, trusted };
  // Clients send nothing but a close; routes with sockets are registered after the plugin.
  server.register(websocket, { options: { maxPayload: 1_024 }, preClose: endSockets });
  server.register(async (scope) => {
    for (const entry of routes.filter((each) => each.multipart === undefined)) registerRoute(scope, entry, wiring);
  });
  // In a scope of their own: everywhere else a multipart body is refused before it is read.
  server.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false });
    for (const entry of routes.filter((each) => each.multipart !== undefined)) registerRoute(scope, entry, wiring);
  });
  // Bytes are not copied for each answer: clients that do not read it hold no memory.
  const spec = Buffer.from(JSON.stringify(buildOpenApi(routes, app.version)));
  const etag = toEtag(spec);
  server.get(`${PREFIX}/openapi.json`, (request, reply) => {
    reply.headers({ etag, 'cache-control': REVALIDATED });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(spec);
  });
  registerPages(server);
  return server;
}

function checkHead({ raw }: FastifyRequest, maxHeaders: number): void {
  if (raw.rawHeaders.length / 2 > maxHeaders)
    throw new AppError('REQUEST_HEAD_TOO_LARGE', `the request has more than ${maxHeaders} header fields`);
}

/** Every socket gets a close frame; its answer is not awaited. */
function endSockets(this: FastifyInstance, done: () => void): void {
  const { clients } = this.websocketServer;
  setTimeout(() => {
    for (const client of clients) client.terminate();
  }, CLOSE_MS).unref();
  this.websocketServer.close();
  done();
}

/** The methods an address takes. */
function methodsOf(routes: readonly Route[], path: string): string[] {
  const matching = routes.filter(({ path: pattern }) =>
    new RegExp(`^${PREFIX}${pattern.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`).test(path),
  );
  return [...new Set(matching.map((entry) => entry.method))];
}
