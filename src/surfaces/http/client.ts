import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError, ERRORS, type ErrorCode } from '../../errors.ts';

/** The API from the caller's side, whether a server answers over a socket or one in this process does. */
export interface ApiClient {
  call<Answer>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
}

const ErrorAnswer = z.object({
  error: z.string(),
  code: z.string(),
  hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

function readAnswer<Answer>(status: number, text: string): Answer {
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (status < 400) return body as Answer;
  const parsed = ErrorAnswer.safeParse(body);
  if (!parsed.success) throw new AppError('ENGINE_DOWN', `the server answered ${status}`);
  const { error, code, hint, details } = parsed.data;
  throw new AppError(code in ERRORS ? (code as ErrorCode) : 'INTERNAL_ERROR', error, {
    // The message names the fields; a command has no details to look at.
    ...(code === 'VALIDATION_FAILED' ? { hint: ERRORS.USAGE.hint } : hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}

/** Talks to a server of ours on this machine. It is not a way out: pages are fetched by the guarded client alone. */
export function createHttpClient(origin: string, key: string): ApiClient {
  return {
    async call(method, path, body) {
      let response: Response;
      try {
        response = await fetch(new URL(`/api/v1${path}`, origin), {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      } catch (cause) {
        throw new AppError('ENGINE_DOWN', `the server at ${origin} does not answer`, {
          cause,
          hint: 'Start it again with: crawl4r up.',
        });
      }
      return readAnswer(response.status, await response.text());
    },
  };
}

/** Calls a server in this process, without a socket. The server must treat the caller as trusted. */
export function createLocalClient(server: FastifyInstance): ApiClient {
  return {
    async call(method, path, body) {
      const { statusCode, payload } = await server.inject({
        method,
        url: `/api/v1${path}`,
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return readAnswer(statusCode, payload);
    },
  };
}
