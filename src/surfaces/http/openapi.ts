import type { z } from 'zod';
import { ERRORS } from '../../errors.ts';
import ANSWERS from './answers.json' with { type: 'json' };
import { hasEtag } from './etag.ts';
import { fillExample } from './examples.ts';
import { type Components, describeResponses, HEADERS } from './openapi-responses.ts';
import { type Schema, toSchema } from './openapi-schema.ts';
import { type Multipart, type Route, TAGS } from './route.ts';

const DESCRIPTION = [
  'Everything the dashboard and the command line do, over HTTP.',
  'Send `Authorization: Bearer c4r_…`. Lists answer `{items, next_cursor, has_more}`; send `next_cursor` back as `cursor`.',
  'What is read can be asked for again with `If-None-Match` and the `ETag` of the last answer: 304 when nothing changed.',
  '`x-scope` is what a key must be allowed to do; `x-rate-class` the limit a request counts for: `default` is that of the ' +
    'caller, `seeding` ten a minute, `none` no limit.',
  'Each POST that makes something takes an `Idempotency-Key`: the same key and body get the same answer, once.',
  'An optional field may be null: unless its description says otherwise, that is the same as leaving it out.',
  'Errors are `{error, code, details?, request_id, hint?}`. The codes, with their HTTP status:',
  Object.entries(ERRORS)
    .map(([code, { status }]) => `\`${code}\` ${status}`)
    .join(', '),
].join('\n\n');

/** The OpenAPI 3.1 document of a route table. Nothing of it is written by hand beside the table. */
export function buildOpenApi(routes: readonly Route[], version: string): Schema {
  const components: Components = { schemas: new Map(), responses: new Map() };
  const paths: Record<string, Record<string, Schema>> = {};
  for (const entry of routes) {
    const path = `/api/v1${entry.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] ??= {};
    paths[path][entry.method.toLowerCase()] = describeRoute(entry, routes, components);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'crawl4r', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => routes.some((entry) => entry.tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: c4r_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'c4r_session',
          description: 'A login; X-Session-Key must come with it.',
        },
      },
      headers: HEADERS,
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
    },
  };
}

const sorted = (entries: Map<string, Schema>) => Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

function describeRoute(entry: Route, routes: readonly Route[], components: Components): Schema {
  const example = fillExample(entry);
  const parameters = [
    ...describeParameters(entry.params, 'path', components, example.params),
    ...describeParameters(entry.query, 'query', components, example.query),
    ...describeHeaders(entry),
  ];
  // OpenAPI 3.1: the scopes of any scheme may be named.
  const needs = [entry.access];
  return {
    operationId: entry.id,
    summary: entry.summary,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    tags: [entry.tag],
    security: entry.access === 'public' ? [] : [{ key: needs }, { session: needs }],
    'x-scope': entry.access,
    'x-bound': entry.bound,
    'x-rate-class': entry.limit ?? 'default',
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(entry.takes === undefined ? {} : { requestBody: { required: true, content: describeTypes(entry.takes) } }),
    ...(entry.body === undefined
      ? {}
      : {
          requestBody: {
            required: !entry.body.safeParse({}).success,
            content: {
              'application/json': {
                schema: toSchema(entry.body, 'input', components.schemas),
                ...(example.body === undefined ? {} : { example: example.body }),
              },
              ...(entry.multipart !== undefined && {
                'multipart/form-data': { schema: describeForm(entry.multipart, components.schemas) },
              }),
            },
          },
        }),
    responses: describeResponses(entry, routes, components, (ANSWERS as Record<string, unknown>)[entry.id]),
  };
}

function describeHeaders(entry: Route): Schema[] {
  const text = (name: string, maxLength: number, description: string) => ({
    name,
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength },
    description,
  });
  return [
    ...(entry.creates === undefined
      ? []
      : [text('Idempotency-Key', 255, 'Makes sending this again harmless for a day.')]),
    ...(hasEtag(entry) ? [text('If-None-Match', 1_000, 'The ETag of an earlier answer: 304 if it still holds.')] : []),
  ];
}

/** Files may be sent under any name; these are the ones to use. */
function describeForm({ fields, maxFiles }: Multipart, components: Map<string, Schema>): Schema {
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const { properties, required = [] } = toSchema(fields, 'input', components) as Schema & { required?: string[] };
  const [name, schema] =
    maxFiles === 1 ? ['file', file] : ['files', { type: 'array', items: file, maxItems: maxFiles }];
  return { type: 'object', properties: { ...(properties as Schema), [name]: schema }, required: [...required, name] };
}
/** Bytes of any of these types. */
const describeTypes = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

function describeParameters(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  components: Components,
  examples: Readonly<Record<string, string>>,
): Schema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input', components.schemas) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(place === 'path' || required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));
}
