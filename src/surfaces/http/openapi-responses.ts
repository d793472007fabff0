import { createHash } from 'node:crypto';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { ErrorBody } from './answer-error.ts';
import { codesByStatus, successOf } from './declared.ts';
import { hasEtag } from './etag.ts';
import { linksOf } from './openapi-links.ts';
import { type Schema, toSchema } from './openapi-schema.ts';
import type { Route } from './route.ts';

const DESCRIPTIONS: Record<number, string> = {
  101: 'The connection becomes a WebSocket.',
  204: 'Done.',
  206: 'The range that was asked for.',
};

const header = (description: string) => ({ description, schema: { type: 'string' } });

/** Headers that many answers have. */
export const HEADERS = {
  RequestId: header('Names this request in the log.'),
  ETag: header('The state of the answer: send it back in If-None-Match.'),
  RateLimit: header('What is left of the limit in this minute, and the seconds until it starts over.'),
  RetryAfter: header('Seconds after which it makes sense to try again.'),
};

export interface Components {
  schemas: Map<string, Schema>;
  responses: Map<string, Schema>;
}

/** Every answer of a route: the one that went well, and one for each status of an error, with its codes. */
export function describeResponses(
  entry: Route,
  routes: readonly Route[],
  components: Components,
  answer: unknown,
): Schema {
  const success = successOf(entry);
  const type = entry.stream ?? 'application/json';
  const schema =
    entry.response === undefined
      ? entry.stream !== undefined && { type: 'string' }
      : toSchema(entry.response, 'output', components.schemas);
  const content = schema !== false && { [type]: { schema, ...(answer === undefined ? {} : { example: answer }) } };
  const links = linksOf(entry, routes);
  const describe = (status: number) => ({
    description: DESCRIPTIONS[status] ?? 'The answer.',
    headers: headersOf(entry, hasEtag(entry)),
    ...(content === false || status === 101 ? {} : { content }),
    ...(Object.keys(links).length === 0 ? {} : { links }),
  });
  const also = Object.keys(entry.also ?? {}).map(Number);
  const errors = codesByStatus(entry).filter(([status]) => !also.includes(status));
  return Object.fromEntries([
    ...[success, ...also].map((status) => [status, describe(status)]),
    ...(hasEtag(entry) ? [[304, referTo('Unchanged', unchanged(), components)]] : []),
    ...errors.map(([status, codes]) => [status, describeErrors(codes, components)]),
  ]);
}

function headersOf(entry: Route, tagged: boolean): Schema {
  const refer = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });
  return {
    'X-Request-Id': refer('RequestId'),
    ...(tagged ? { ETag: refer('ETag') } : {}),
    ...(entry.limit === 'none' ? {} : { RateLimit: refer('RateLimit') }),
  };
}

const unchanged = (): Schema => ({
  description: 'The state that If-None-Match named is the present one; there is no body.',
  headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ETag: { $ref: '#/components/headers/ETag' } },
});

/** Routes share the answers with the same codes. */
function describeErrors(codes: readonly ErrorCode[], components: Components): Schema {
  const retry = codes.some((code) => ERRORS[code].retryable);
  const error = toSchema(ErrorBody, 'output', components.schemas);
  const response = {
    description: codes.join(', '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(retry ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: { 'application/json': { schema: { allOf: [error, { properties: { code: { enum: codes } } }] } } },
  };
  return referTo(codes.map(toPascal).join('-'), response, components);
}

const toPascal = (code: ErrorCode) =>
  code
    .toLowerCase()
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

/** A name says all of what it holds; one that would be too long is cut, with a hash that keeps it apart from others. */
function referTo(name: string, response: Schema, { responses }: Components): Schema {
  const own =
    name.length > 80 ? `${name.slice(0, 60)}-${createHash('sha256').update(name).digest('hex').slice(0, 6)}` : name;
  responses.set(own, response);
  return { $ref: `#/components/responses/${own}` };
}
