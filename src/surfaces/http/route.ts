import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';
import type { Access, Caller } from '../../operations/access/caller.ts';
import type { Feed } from '../../operations/events/feed.ts';
import type { Live } from './live/live.ts';

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
  domains: 'Politeness and policy per domain.',
  proxies: 'Proxies, and which domains use them.',
  cache: 'What is kept to save work; all of it may be cleared.',
  admin: 'Health, figures, workers and background jobs.',
  access: 'Logging in and API keys.',
} as const;
export type Tag = keyof typeof TAGS;

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
  params?: Params;
  query?: Query;
  body?: Body;
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
  /** `none` for probes, `seeding` for the narrow window of mass input. */
  limit?: 'none' | 'seeding';
  handler(
    context: Context<Parsed<Params>, Parsed<Query>, Parsed<Body>>,
  ): Response extends z.ZodType ? Promise<z.input<Response>> : Promise<unknown>;
}

// Handlers of different routes take different contexts; once defined, only the table's own code calls them.
export type Route = Omit<
  RouteSpec<z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined>,
  'handler' | 'socket'
> & {
  handler(context: Context<unknown, unknown, unknown>): Promise<unknown>;
  socket?(context: Context<unknown, unknown, unknown>): Promise<Feed>;
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
  'path' | 'id' | 'summary' | 'description' | 'tag' | 'access' | 'params' | 'query'
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
