import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import { toAppError } from '../../errors.ts';
import { redact } from '../../redact.ts';
import { understand } from './answer-error.ts';
import { parseInput } from './parse-input.ts';
import type { Context, Route } from './route.ts';

interface Answer {
  status: number;
  body: unknown;
}
type AnyContext = Context<unknown, unknown, unknown>;
type Fields = Record<string, unknown>;
type Audit = (context: AnyContext, work: () => Promise<Answer>) => Promise<Answer>;

const MAX_TEXT = 200;
const MAX_ITEMS = 20;
const MAX_BYTES = 8_192;
/** What is kept of an answer where nothing shows the resource itself: enough to find it, nothing that could be secret. */
const TELLING = ['id', 'name', 'domain', 'status', 'scopes', 'collections', 'expires_at', 'email', 'role', 'user'];

/**
 * The audit entry of a route that changes something: actor, action, result, and the fields that changed, as
 * the GET route of the same resource shows them before and after. It is written after the operation and before the answer.
 * Undefined for routes that only read: GETs and searches. What a reader changes of its own (`audited`) is noted.
 */
export function auditOf(entry: Route, routes: readonly Route[]): Audit | undefined {
  if (entry.method === 'GET' || (entry.access === 'read' && entry.audited !== true)) return undefined;
  const shown = findShown(entry, routes);
  return async (context, work) => {
    const before = await show(shown, context);
    const note = async (status: number, code: string | null, after: Fields | null) => {
      const { app, caller, request } = context;
      await appendAction(app, caller.name, {
        operation: entry.id,
        path: request.url.split('?', 1)[0]!,
        status,
        code,
        request_id: request.id,
        ...changes(before, code === null ? after : before),
      });
    };
    let answer: Answer;
    try {
      answer = await work();
    } catch (thrown) {
      const { status, code } = understand(thrown);
      // Failures at public routes are not logged: unauthenticated callers could fill the log.
      if (entry.access !== 'public') await note(status, code, null);
      throw thrown;
    }
    await note(answer.status, null, shown === undefined ? pick(answer.body) : await show(shown, context));
    return answer;
  };
}

async function appendAction(
  app: App,
  actor: string,
  data: Extract<Parameters<typeof appendEvents>[1][number], { kind: 'admin.action' }>['data'],
): Promise<void> {
  try {
    await app.database.transaction((tx) =>
      appendEvents(tx, [{ kind: 'admin.action', subject: data.operation, actor, data }]),
    );
    await wakeReaders(app.pubsub);
  } catch (error) {
    app.log.error('audit_failed', { ...data, actor, error: toAppError(error).message });
  }
}

/** The route that shows what this one changes: the nearest GET above it that names one resource. */
function findShown(entry: Route, routes: readonly Route[]): Route | undefined {
  return routes
    .filter(({ method, path, response, stream, socket }) => {
      const shows = method === 'GET' && response !== undefined && stream === undefined && socket === undefined;
      if (!shows) return false;
      // A part of a resource that is read and written as a whole shows itself.
      if (entry.path === path && ['PUT', 'PATCH'].includes(entry.method)) return true;
      return /:\w+$/.test(path) && (entry.path === path || entry.path.startsWith(`${path}/`));
    })
    .sort((a, b) => b.path.length - a.path.length)[0];
}

async function show(shown: Route | undefined, context: AnyContext): Promise<Fields | null> {
  if (shown === undefined) return null;
  try {
    const params = parseInput(shown.params, paramsOf(shown, context.request), 'path');
    const query = parseInput(shown.query, {}, 'query');
    return toFields(shown.response!.parse(await shown.handler({ ...context, params, query, body: undefined })));
  } catch {
    // Not there yet, or not any more.
    return null;
  }
}

function paramsOf(shown: Route, request: FastifyRequest): Fields {
  const names = [...shown.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return Object.fromEntries(names.map((name) => [name, (request.params as Fields)[name]]));
}

function pick(body: unknown): Fields | null {
  const entries = Object.entries(toFields(body) ?? {});
  const kept = entries.filter(([name, value]) => TELLING.includes(name) || typeof value === 'number');
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function toFields(body: unknown): Fields | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  return redact(body) as Fields;
}

/** Only what differs, cut to a readable size. */
function changes(before: Fields | null, after: Fields | null): { before: Fields | null; after: Fields | null } {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const differing = [...names].filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  const cut = (fields: Fields | null) => {
    if (fields === null || differing.length === 0) return null;
    const kept = Object.fromEntries(
      differing.filter((name) => name in fields).map((name) => [name, shorten(fields[name], name)]),
    );
    return JSON.stringify(kept).length > MAX_BYTES ? { fields: differing } : kept;
  };
  return { before: cut(before), after: cut(after) };
}

/** Values of headers may be secret, whatever they are called. */
function shorten(value: unknown, name: string): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((entry) => shorten(entry, name));
  if (typeof value !== 'object' || value === null) return value;
  if (/headers$/i.test(name)) return Object.keys(value);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shorten(entry, key)]));
}
