import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { BoundThing } from '../../operations/access/binding.ts';
import type { Access, Caller } from '../../operations/access/caller.ts';
import type { ReceivedFile } from '../../operations/documents/upload-files.ts';
import type { Feed } from '../../operations/events/feed.ts';
import type { Live } from './live/live.ts';
import type { FormSpec } from './read-form.ts';

/** One entry of the route table: from it come validation, types, access, limits and the OpenAPI document. */

export const TAGS = {
  crawl: 'Ask for pages and whole sites, and watch them come in.',
  tasks: 'One URL inside a crawl: its state, its errors, and control over it.',
  frontier: 'What waits to be fetched.',
  pages: 'What is known about each address.',
  discover: 'Find the addresses of a site before crawling it.',
  search: 'Hybrid, vector and keyword search with citations.',
  documents: 'The readable content of pages and uploads.',
  products: 'Structured data of product pages, with price history.',
  media: 'Screenshots, PDFs and scripts in a real browser.',
  exports: 'Take data out as files, and archives of other crawlers in.',
  organise: 'Collections, tags and crawl configurations.',
  events: 'What happened, in the order it happened: the log that streams and webhooks read.',
  sources: 'Sites that are crawled again on a schedule.',
  webhooks: 'Messages to addresses of yours about what happened.',
  domains: 'Politeness and policy per domain.',
  proxies: 'Proxies, and which domains use them.',
  cache: 'What is kept to save work; all of it may be cleared.',
  alerts: 'Conditions that somebody should look at.',
  admin: 'Health, figures, workers and background jobs.',
  access: 'Logging in, sessions and API keys.',
  people: 'Who may log in, and as what.',
} as const;
export type Tag = keyof typeof TAGS;

export type Bound = 'refused' | 'open' | 'scoped' | BoundThing;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface Context<Params, Query, Body> {
  app: App;
  params: Params;
  query: Query;
  body: Body;
  caller: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
  live: Live;
  /** Aborts when the caller hangs up or the server closes: long work ends then. */
  gone(): AbortSignal;
}

/** Parts that are left out have none, or are filled in from the path. */
export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** What a route does with a multipart body: the fields are its body, the files are stored already. */
export interface Multipart extends FormSpec {
  handler(context: Context<unknown, unknown, unknown>, files: readonly ReceivedFile[]): Promise<unknown>;
}

export const multipart = <Fields extends z.ZodType>(
  spec: Omit<FormSpec, 'fields'> & {
    fields: Fields;
    handler(context: Context<unknown, unknown, z.output<Fields>>, files: readonly ReceivedFile[]): Promise<unknown>;
  },
): Multipart => spec as unknown as Multipart;

export interface RouteSpec<
  Params extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
  Response extends z.ZodType | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under /api/v1. */
  path: string;
  /** The operationId: what a generated client calls it. */
  id: string;
  summary: string;
  description?: string;
  tag: Tag;
  access: Access;
  /**
   * What it is to a key that is bound to collections. Required, so that no route is added without deciding it.
   * - `refused`: it answers FORBIDDEN.
   * - `open`: it shows and changes nothing of any collection.
   * - `crawl`, `document`, `collection`: `:id` names one; those of other collections are not found. Checked before the handler.
   * - `scoped`: the handler keeps to `caller.collections` itself.
   */
  bound: Bound;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The body may also come as multipart/form-data. */
  multipart?: Multipart;
  /** Absent: the handler answers by itself (`stream`), or there is nothing to say (204). */
  response?: Response;
  status?: number;
  /** Content types of a body that is taken as a stream: `request.body` is a Readable, and nothing limits its size. */
  takes?: readonly string[];
  /** The content type of an answer that is not JSON, or not one piece. */
  stream?: string;
  /** A WebSocket: what its client follows. The handler answers plain HTTP requests. */
  socket?(context: Context<Parsed<Params>, Parsed<Query>, Parsed<Body>>): Promise<Feed>;
  /** Makes something new: takes an Idempotency-Key. `secret` seals the kept answer with the caller's credential. */
  creates?: 'plain' | 'secret';
  /** Is in the audit trail although readers may do it: it changes something of the caller's own. */
  audited?: true;
  /** Codes it can answer beside those that follow from access, method and input (declared.ts). */
  errors?: readonly ErrorCode[];
  /** Further statuses that are no errors: `same` has the schema of the response. */
  also?: Readonly<Record<number, 'same'>>;
  /** What a caller may send: shown in the document, and sent by a test. `{crawl}` stands for the id of a crawl. */
  example?: Example;
  /** Names the state of what is shown without reading all of it; undefined: there is nothing to show. */
  version?(context: Context<Parsed<Params>, Parsed<Query>, Parsed<Body>>): Promise<string | undefined>;
  /** `none` for probes, `seeding` for the narrow window of mass input. */
  limit?: 'none' | 'seeding';
  /**
   * For answers that follow from the request, the caller and the database alone: true where the same request may get the
   * same answer until something is committed. Such a handler uses neither `request` nor `reply` nor `gone`.
   */
  reuse?(answer: Parsed<Response>): boolean;
  handler(
    context: Context<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
  ): Response extends z.ZodType ? Promise<z.input<Response>> : Promise<unknown>;
}

// Handlers of different routes take different contexts; once defined, only the table's own code calls them.
export type Route = Omit<
  RouteSpec<z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined>,
  'handler' | 'socket' | 'version' | 'reuse'
> & {
  reuse?(answer: unknown): boolean;
  handler(context: Context<unknown, unknown, unknown>): Promise<unknown>;
  socket?(context: Context<unknown, unknown, unknown>): Promise<Feed>;
  version?(context: Context<unknown, unknown, unknown>): Promise<string | undefined>;
};

export function route<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
>(spec: RouteSpec<Params, Query, Body, Response>): Route {
  return spec as unknown as Route;
}

type SocketSpec<Params extends z.ZodType | undefined, Query extends z.ZodType | undefined> = Pick<
  RouteSpec<Params, Query, undefined, undefined>,
  'path' | 'id' | 'summary' | 'description' | 'tag' | 'access' | 'bound' | 'params' | 'query' | 'example'
> &
  Required<Pick<RouteSpec<Params, Query, undefined, undefined>, 'socket'>>;

/** A route that is a WebSocket: access, limits, input and document are those of every route. */
export const socketRoute = <
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(
  spec: SocketSpec<Params, Query>,
): Route =>
  route({
    ...spec,
    method: 'GET',
    handler: async () => {
      throw new AppError('UPGRADE_REQUIRED', 'this address takes WebSockets only');
    },
  });
