import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, type ErrorCode, toAppError } from '../../errors.ts';
import type { Log } from '../../log.ts';

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

/** SQLSTATE class 22, data exception: the statement was fine, a value of the caller was not. */
const isDataException = ({ details }: AppError) =>
  typeof details?.sqlstate === 'string' && details.sqlstate.startsWith('22');

function understand(thrown: unknown): AppError {
  if (thrown instanceof AppError)
    return isDataException(thrown)
      ? new AppError('VALIDATION_FAILED', 'the request holds a value that cannot be stored or compared', {
          cause: thrown,
          hint: 'Check numbers, times and texts of the request against the API reference at /docs.',
        })
      : thrown;
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
  if (error.retryAfterMs !== undefined) reply.header('retry-after', String(Math.ceil(error.retryAfterMs / 1_000)));
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="crawl4r"');
  const body = JSON.stringify(toErrorBody(error, request.id));
  return reply.code(error.status).type('application/json; charset=utf-8').send(body);
}

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
