import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actAs } from '../../actor.ts';
import type { App } from '../../app.ts';
import type { Caller } from '../../operations/access/caller.ts';
import { anonymous } from '../../operations/access/identify-caller.ts';
import type { Feed } from '../../operations/events/feed.ts';
import { auditOf } from './audit.ts';
import { checkAccess, readCaller } from './authorise.ts';
import { runOnce } from './idempotency.ts';
import type { createKeyUses } from './key-uses.ts';
import type { Live } from './live/live.ts';
import { parseInput } from './parse-input.ts';
import { limitRate } from './rate-limit.ts';
import type { Route } from './route.ts';

export interface Wiring {
  app: App;
  uses: ReturnType<typeof createKeyUses>;
  live: Live;
  routes: readonly Route[];
  closing: AbortSignal;
  now: () => number;
  trusted: boolean;
}

const OWNER: Caller = { kind: 'key', name: 'owner', scopes: ['admin'], rpm: Number.MAX_SAFE_INTEGER };

const callers = new WeakMap<FastifyRequest, Caller>();
const feeds = new WeakMap<FastifyRequest, Feed>();

/** The caller of a request that passed the access check. */
const callerOf = (request: FastifyRequest) => callers.get(request) ?? anonymous(request.ip);

/**
 * Before the body is read: identify, rate limit, authorise. Then parse, run (once per idempotency key), and
 * check that the answer is what the table promises, so that no field leaves that was not meant to.
 */
export function registerRoute(server: FastifyInstance, entry: Route, wiring: Wiring): void {
  const { takes } = entry;
  if (takes === undefined) addRoute(server, entry, wiring);
  // A scope of its own: the types are taken here and nowhere else.
  else
    server.register(async (scope) => {
      scope.addContentTypeParser([...takes], (_request, body, done) => done(null, body));
      addRoute(scope, entry, wiring);
    });
}

function addRoute(server: FastifyInstance, entry: Route, wiring: Wiring): void {
  const { app } = wiring;
  const contextOf = (request: FastifyRequest, reply: FastifyReply) => ({
    app,
    caller: callerOf(request),
    request,
    reply,
    live: wiring.live,
    gone: () => hangUp(reply, wiring.closing),
    params: parseInput(entry.params, request.params, 'path'),
    query: parseInput(entry.query, request.query, 'query'),
    body: parseInput(entry.body, request.body, 'body'),
  });
  const { socket: open } = entry;
  const audit = auditOf(entry, wiring.routes);
  server.route({
    method: entry.method,
    url: `/api/v1${entry.path}`,
    onRequest: async (request, reply) => {
      if (entry.access === 'public' && entry.limit === 'none') return;
      if (wiring.trusted) return void callers.set(request, OWNER);
      const caller = await readCaller(app, request).catch(async (error: unknown) => {
        // A wrong key counts as anonymous: guessing keys does not bypass the limit.
        await limitRate(app.cache, anonymous(request.ip), reply, entry.limit, wiring.now());
        throw error;
      });
      callers.set(request, caller);
      await limitRate(app.cache, caller, reply, entry.limit, wiring.now());
      checkAccess(caller, entry.access);
      if (caller.key !== undefined) wiring.uses.note(caller.key.id);
    },
    // What cannot be followed is refused before the connection becomes a socket.
    ...(open !== undefined && {
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        if (request.ws) feeds.set(request, await open(contextOf(request, reply)));
      },
      wsHandler: (socket: WebSocket, request: FastifyRequest) =>
        wiring.live.connect(request, socket, feeds.get(request)!),
    }),
    handler: async (request, reply) => {
      const context = contextOf(request, reply);
      const { caller } = context;
      if (entry.stream !== undefined) return entry.handler(context);
      const status = entry.status ?? (entry.response === undefined ? 204 : 200);
      const act = async () => {
        const result = await actAs(caller.name, () => entry.handler(context));
        return { status, body: entry.response?.parse(result) };
      };
      const work = audit === undefined ? act : () => audit(context, act);
      const answer =
        entry.creates === undefined
          ? { ...(await work()), replayed: false }
          : await runOnce(
              app.database,
              {
                header: request.headers['idempotency-key'],
                caller,
                route: `${request.method} ${request.url}`,
                // A stream is known only when it was read: such a request is the same when its address is.
                body: entry.takes === undefined ? request.body : undefined,
                sealed: entry.creates === 'secret',
              },
              work,
            );
      if (answer.replayed) reply.header('idempotency-replayed', 'true');
      reply.code(answer.status);
      if (answer.status === 204) return reply.send();
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
    },
  });
}

function hangUp(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}
