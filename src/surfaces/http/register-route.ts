import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actAs } from '../../actor.ts';
import type { App } from '../../app.ts';
import { requireWithin } from '../../operations/access/binding.ts';
import type { Caller } from '../../operations/access/caller.ts';
import { anonymous } from '../../operations/access/identify-caller.ts';
import type { Feed } from '../../operations/events/feed.ts';
import { auditOf } from './audit.ts';
import { checkAccess, checkBound, readCaller } from './authorise.ts';
import { hasEtag, isKnown, REVALIDATED, toEtag } from './etag.ts';
import { runOnce } from './idempotency.ts';
import type { createKeyUses } from './key-uses.ts';
import type { Live } from './live/live.ts';
import { parseInput } from './parse-input.ts';
import { limitRate } from './rate-limit.ts';
import { type Form, readForm } from './read-form.ts';
import type { Route } from './route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    entry?: Route;
  }
}

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
 * Before the body is read: identify, rate limit, authorise, refuse bound keys what is not theirs. Then parse, run (once per idempotency key), and
 * check that the answer is what the table promises, so that no field leaves that was not meant to.
 */
export function registerRoute(server: FastifyInstance, entry: Route, wiring: Wiring): void {
  const { app } = wiring;
  const contextOf = (request: FastifyRequest, reply: FastifyReply, form?: Form) => ({
    app,
    caller: callerOf(request),
    request,
    reply,
    live: wiring.live,
    gone: () => hangUp(reply, wiring.closing),
    params: parseInput(entry.params, request.params, 'path'),
    query: parseInput(entry.query, request.query, 'query'),
    body: form === undefined ? parseInput(entry.body, request.body, 'body') : form.body,
  });
  const { socket: open, bound } = entry;
  const requireOwn = async ({ caller, params }: { caller: Caller; params: unknown }) => {
    if (bound === 'crawl' || bound === 'document' || bound === 'collection')
      await requireWithin(app, caller.collections, bound, (params as { id: string }).id);
  };
  const audit = auditOf(entry, wiring.routes);
  server.route({
    method: entry.method,
    url: `/api/v1${entry.path}`,
    config: { entry },
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
      checkBound(caller, entry.bound);
      wiring.uses.note(caller);
    },
    // What cannot be followed is refused before the connection becomes a socket.
    ...(open !== undefined && {
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        if (!request.ws) return;
        const context = contextOf(request, reply);
        await requireOwn(context);
        feeds.set(request, await open(context));
      },
      wsHandler: (socket: WebSocket, request: FastifyRequest) =>
        wiring.live.connect(request, socket, feeds.get(request)!),
    }),
    handler: async (request, reply) => {
      const { multipart } = entry;
      const form =
        multipart !== undefined && request.isMultipart() ? await readForm(app, request, multipart) : undefined;
      const context = contextOf(request, reply, form);
      const { caller } = context;
      await requireOwn(context);
      if (entry.stream !== undefined) return entry.handler(context);
      const version = await entry.version?.(context);
      if (version !== undefined && answersUnchanged(request, reply, `${app.version} ${version}`)) return reply;
      const status = entry.status ?? (entry.response === undefined ? 204 : 200);
      const act = async () => {
        const result = await actAs(caller.name, () =>
          form === undefined ? entry.handler(context) : multipart!.handler(context, form.files),
        );
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
                body: form === undefined ? request.body : form.fingerprint,
                sealed: entry.creates === 'secret',
              },
              work,
            );
      if (answer.replayed) reply.header('idempotency-replayed', 'true');
      reply.code(answer.status);
      if (answer.status === 204) return reply.send();
      const text = JSON.stringify(answer.body);
      if (hasEtag(entry) && version === undefined && answersUnchanged(request, reply, text)) return reply;
      return reply.type('application/json; charset=utf-8').send(text);
    },
  });
}

/** Sends the state along as ETag; true: the caller has it already, and a 304 was sent. */
function answersUnchanged(request: FastifyRequest, reply: FastifyReply, state: string): boolean {
  const etag = toEtag(state);
  reply.headers({ etag, 'cache-control': REVALIDATED });
  if (!isKnown(request.headers['if-none-match'], etag)) return false;
  reply.code(304).send();
  return true;
}

function hangUp(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}
