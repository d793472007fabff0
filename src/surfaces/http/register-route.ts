import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actAs } from '../../actor.ts';
import type { App } from '../../app.ts';
import { requireWithin } from '../../operations/access/binding.ts';
import type { Caller } from '../../operations/access/caller.ts';
import { anonymous } from '../../operations/access/identify-caller.ts';
import type { Feed } from '../../operations/events/feed.ts';
import { auditOf } from './audit.ts';
import { checkAccess, checkBound, readCredentials } from './authorise.ts';
import { hasEtag, isKnown, REVALIDATED, toEtag } from './etag.ts';
import { runOnce } from './idempotency.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { createKeyUses } from './key-uses.ts';
import type { KnownCallers } from './known-callers.ts';
import type { Live } from './live/live.ts';
import { parseInput } from './parse-input.ts';
import type { RateLimiter } from './rate-limit.ts';
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
  callers: KnownCallers;
  limiter: RateLimiter;
  answers: KeptAnswers;
  trusted: boolean;
}

const JSON_TYPE = 'application/json; charset=utf-8';
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
  const { socket: open, bound, reuse } = entry;
  const requireOwn = async ({ caller, params }: { caller: Caller; params: unknown }) => {
    if (bound === 'crawl' || bound === 'document' || bound === 'collection')
      await requireWithin(app, caller.collections, bound, (params as { id: string }).id);
  };
  const audit = auditOf(entry, wiring.routes);
  const changesAccess =
    entry.method !== 'GET' && (entry.tag === 'access' || entry.access === 'admin' || entry.id === 'deleteCollection');
  server.route({
    method: entry.method,
    url: `/api/v1${entry.path}`,
    config: { entry },
    onRequest: (request, reply, done) => {
      const waits = admit(entry, wiring, request, reply);
      if (waits === undefined) done();
      else waits.then(() => done(), done);
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
      if (reuse !== undefined) {
        const bytes = await wiring.answers.answer(nameOf(request), async () => {
          const context = contextOf(request, reply);
          await requireOwn(context);
          const body = entry.response?.parse(await actAs(context.caller.name, () => entry.handler(context)));
          return { text: JSON.stringify(body), keep: reuse(body) };
        });
        if (hasEtag(entry) && answersUnchanged(request, reply, bytes)) return reply;
        return reply.type(JSON_TYPE).send(bytes);
      }
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
        try {
          const result = await actAs(caller.name, () =>
            form === undefined ? entry.handler(context) : multipart!.handler(context, form.files),
          );
          return { status, body: entry.response?.parse(result) };
        } finally {
          // Before the answer leaves: what it revoked is refused from then on.
          if (changesAccess) wiring.callers.forget();
        }
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
                body: entry.takes !== undefined ? undefined : form === undefined ? request.body : form.fingerprint,
                sealed: entry.creates === 'secret',
              },
              work,
            );
      if (answer.replayed) reply.header('idempotency-replayed', 'true');
      reply.code(answer.status);
      if (answer.status === 204) return reply.send();
      const text = JSON.stringify(answer.body);
      if (hasEtag(entry) && version === undefined && answersUnchanged(request, reply, text)) return reply;
      return reply.type(JSON_TYPE).send(text);
    },
  });
}

/** Sends the state along as ETag; true: the caller has it already, and a 304 was sent. */
function answersUnchanged(request: FastifyRequest, reply: FastifyReply, state: string | Buffer): boolean {
  const etag = toEtag(state);
  reply.headers({ etag, 'cache-control': REVALIDATED });
  if (!isKnown(request.headers['if-none-match'], etag)) return false;
  reply.code(304).send();
  return true;
}

/** Identifies the caller, counts the request and checks access. A promise only where something has to be asked for. */
function admit(entry: Route, wiring: Wiring, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
  if (entry.access === 'public' && entry.limit === 'none') return undefined;
  if (wiring.trusted) {
    callers.set(request, OWNER);
    return undefined;
  }
  const enter = (caller: Caller) => {
    checkAccess(caller, entry.access);
    checkBound(caller, entry.bound);
    wiring.uses.note(caller);
  };
  const count = (caller: Caller): Promise<void> | undefined => {
    callers.set(request, caller);
    const counting = wiring.limiter.limit(caller, reply, entry.limit);
    if (counting !== undefined) return counting.then(() => enter(caller));
    enter(caller);
    return undefined;
  };
  // A wrong key counts as anonymous: guessing keys does not bypass the limit.
  const refuse = async (error: unknown) => {
    await wiring.limiter.limit(anonymous(request.ip), reply, entry.limit);
    throw error;
  };
  let identified: Caller | Promise<Caller>;
  try {
    identified = wiring.callers.identify(readCredentials(request));
  } catch (error) {
    return refuse(error);
  }
  return identified instanceof Promise ? identified.catch(refuse).then(count) : count(identified);
}

const MAX_NAME = 4_096;

/**
 * The same for requests that ask for the same: of one caller, since what it may see is part of the answer. Undefined for
 * long ones: they hardly come twice, and a body was not checked yet when it is named.
 */
function nameOf(request: FastifyRequest): string | undefined {
  const { method, url, body, headers } = request;
  if (url.length > MAX_NAME || (body !== undefined && !(Number(headers['content-length']) <= MAX_NAME)))
    return undefined;
  return JSON.stringify([callerOf(request).name, method, url, body]);
}

function hangUp(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}
