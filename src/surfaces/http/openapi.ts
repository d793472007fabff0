import { z } from 'zod';
import { ERRORS } from '../../errors.ts';
import type { OtherNames } from '../../operations/other-names.ts';
import { ErrorBody } from './answer-error.ts';
import { type Route, TAGS } from './route.ts';

type Schema = Record<string, unknown>;

const DESCRIPTION = [
  'Everything the dashboard and the command line do, over HTTP.',
  'Send `Authorization: Bearer c4r_…`. Lists answer `{items, next_cursor, has_more}`; send `next_cursor` back as `cursor`.',
  'Each POST that makes something takes an `Idempotency-Key`: the same key and body get the same answer, once.',
  'An optional field may be null: unless its description says otherwise, that is the same as leaving it out.',
  'Errors are `{error, code, details?, request_id, hint?}`. The codes, with their HTTP status:',
  Object.entries(ERRORS)
    .map(([code, { status }]) => `\`${code}\` ${status}`)
    .join(', '),
].join('\n\n');

const DESCRIPTIONS: Record<string, string> = { '101': 'The connection becomes a WebSocket.', '204': 'Done.' };

/** The OpenAPI 3.1 document of a route table. Nothing of it is written by hand beside the table. */
export function buildOpenApi(routes: readonly Route[], version: string): Schema {
  const components = new Map<string, Schema>();
  const paths: Record<string, Record<string, Schema>> = {};
  for (const entry of routes) {
    const path = `/api/v1${entry.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] ??= {};
    paths[path][entry.method.toLowerCase()] = describeRoute(entry, components);
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
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function describeRoute(entry: Route, components: Map<string, Schema>): Schema {
  const parameters = [
    ...describeParameters(entry.params, 'path', components),
    ...describeParameters(entry.query, 'query', components),
  ];
  if (entry.creates !== undefined)
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      description: 'Makes sending this again harmless for a day.',
    });
  const silent = entry.response === undefined && entry.stream === undefined;
  const status = String(entry.socket !== undefined ? 101 : (entry.status ?? (silent ? 204 : 200)));
  const content =
    entry.stream !== undefined
      ? {
          [entry.stream]: {
            schema: entry.response === undefined ? { type: 'string' } : toSchema(entry.response, 'output', components),
          },
        }
      : entry.response !== undefined && {
          'application/json': { schema: toSchema(entry.response, 'output', components) },
        };
  return {
    operationId: entry.id,
    summary: entry.summary,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    tags: [entry.tag],
    security: entry.access === 'public' ? [] : [{ key: [] }, { session: [] }],
    'x-scope': entry.access,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(entry.takes === undefined ? {} : { requestBody: { required: true, content: describeTypes(entry.takes) } }),
    ...(entry.body === undefined
      ? {}
      : {
          requestBody: {
            required: !entry.body.safeParse({}).success,
            content: { 'application/json': { schema: toSchema(entry.body, 'input', components) } },
          },
        }),
    responses: {
      [status]: { description: DESCRIPTIONS[status] ?? 'The answer.', ...(content === false ? {} : { content }) },
      default: {
        description: 'What went wrong.',
        content: { 'application/json': { schema: toSchema(ErrorBody, 'output', components) } },
      },
    },
  };
}

/** Bytes of any of these types. */
const describeTypes = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

function describeParameters(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  components: Map<string, Schema>,
): Schema[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input', components) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(place === 'path' || required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

/** JSON Schema of a zod schema; schemas with an id move to the components and leave a reference. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Map<string, Schema>): Schema {
  const {
    $schema: _,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { type } = zodSchema._zod.def;
      if (jsonSchema.otherNames !== undefined) listOtherNames(jsonSchema, jsonSchema.otherNames as OtherNames);
      if (type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
      // What a program fills in on output is there; only callers may leave it out.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Patterns of formats (uuid, date-time) say nothing their format does not.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as Schema & { $defs?: Record<string, Schema> };
  // The input and the output of one schema can differ (defaults); the second to come gets a name of its own.
  const names = new Map<string, string>();
  const refer = (value: unknown): Schema =>
    JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
      if (key !== '$ref' || typeof inner !== 'string') return inner;
      const name = inner.replace('#/$defs/', '');
      return `#/components/schemas/${names.get(name) ?? name}`;
    });
  const definitions = Object.entries($defs ?? {});
  for (const [name, definition] of definitions) {
    const before = components.get(name);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(refer(definition)))
      names.set(name, `${name}${io === 'input' ? 'Input' : 'Output'}`);
  }
  for (const [name, definition] of definitions) components.set(names.get(name) ?? name, refer(definition));
  return refer(own);
}

/** Other names become properties too; a field that is required may come under any of its names. */
function listOtherNames(schema: z.core.JSONSchema.BaseSchema, names: OtherNames): void {
  delete schema.otherNames;
  schema.properties ??= {};
  const { properties } = schema;
  for (const [name, means] of Object.entries(names)) {
    const field = typeof means === 'string' ? means : means.insteadOf;
    if (typeof means === 'string')
      properties[name] = { ...(properties[means] as Schema), description: `Another name for ${means}.` };
    else {
      const { $schema: _, ...inner } = z.toJSONSchema(means.takes, { io: 'input', unrepresentable: 'any' });
      properties[name] = inner as never;
    }
    if (field === undefined || schema.required?.includes(field) !== true) continue;
    schema.required = schema.required.filter((each) => each !== field);
    schema.allOf = [{ anyOf: [{ required: [field] }, { required: [name] }] }];
  }
}
