import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, type ErrorCode, toAppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { declaresCode } from './declared.ts';

export const ErrorBody = z
  .object({
    error: z.string().describe('One sentence for people.'),
    code: z.string().describe('For programs; the list of codes is in the description of this API.'),
    details: z.record(z.string(), z.unknown()).optional(),
    request_id: z.string(),
    hint: z.string().optional().describe('What to do next.'),
  })
  .meta({ id: 'Error' });

/** What Fastify itself finds wrong with a request, in our codes. */
const FROM_FASTIFY: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'JSON_INVALID', message: 'the body is not valid JSON' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'JSON_INVALID', message: 'the body is empty' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'BODY_TOO_LARGE', message: 'the body is larger than 10 MB' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'MEDIA_TYPE_UNSUPPORTED', message: 'this content type is not taken here' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'JSON_INVALID', message: 'the body is not as long as it says' },
  FST_ERR_BAD_URL: { code: 'NOT_FOUND', message: 'the address is not well formed' },
};

/**
 * What the database refused though the request passed every check, by SQLSTATE: a value of the caller (class 22), something
 * that was deleted after it was looked up (23503), or that another request made first (23505).
 */
function explainRefusal({ details }: AppError): ConstructorParameters<typeof AppError> | undefined {
  const state = typeof details?.sqlstate === 'string' ? details.sqlstate : '';
  if (state.startsWith('22'))
    return [
      'VALIDATION_FAILED',
      'the request holds a value that cannot be stored or compared',
      { hint: 'Check numbers, times and texts of the request against the API reference at /docs.' },
    ];
  if (state === '23503') return ['NOT_FOUND', 'something that this request names is no longer there'];
  if (state === '23505') return ['CONFLICT', 'there is one of this name already', { hint: 'Choose another name.' }];
  return undefined;
}

/** The error a caller gets for whatever was thrown. */
export function understand(thrown: unknown): AppError {
  if (thrown instanceof AppError) {
    const [code, message, options] = explainRefusal(thrown) ?? [];
    return code === undefined ? thrown : new AppError(code, message!, { ...options, cause: thrown });
  }
  const { code, statusCode } = thrown as { code?: string; statusCode?: number };
  const known = FROM_FASTIFY[code ?? ''];
  if (known !== undefined) return new AppError(known.code, known.message, { cause: thrown });
  // secure-json-parse refuses __proto__ and friends with a plain 400.
  if (statusCode === 400) return new AppError('JSON_INVALID', 'the body is not valid JSON', { cause: thrown });
  return toAppError(thrown);
}

/** Sends an error. What happened inside stays inside: it is logged under the request id. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const error = understand(thrown);
  // A value that only the database refused is a gap in our schemas: worth a line, though the answer is a 400.
  if (error.status >= 500 || error.cause instanceof AppError)
    log[error.status >= 500 ? 'error' : 'warn']('request_failed', {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url,
      code: error.code,
      error: error.cause ?? error,
    });
  const { entry } = request.routeOptions.config;
  if (entry !== undefined && !declaresCode(entry, error.code))
    log.warn('undeclared_error', { request_id: request.id, operation: entry.id, code: error.code });
  // What was said of the answer that did not come does not hold for this one.
  reply.removeHeader('etag').header('cache-control', 'no-store');
  if (error.retryAfterMs !== undefined) reply.header('retry-after', String(Math.ceil(error.retryAfterMs / 1_000)));
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="crawl4r"');
  const body = toErrorBody(error, request.id);
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** What callers see of an error. */
export function toErrorBody(error: AppError, requestId: string): z.output<typeof ErrorBody> {
  const masked = error.code === 'INTERNAL_ERROR';
  const hint = masked ? 'Look for the request id in the log.' : error.hint;
  return {
    error: masked ? 'something went wrong on the server' : error.message,
    code: error.code,
    ...(error.details === undefined || (error.status >= 500 && !error.has('held_off'))
      ? {}
      : { details: error.details }),
    request_id: requestId,
    ...(hint === undefined ? {} : { hint }),
  };
}
