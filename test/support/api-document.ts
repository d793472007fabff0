import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildOpenApi } from '../../src/surfaces/http/openapi.ts';
import type { Route } from '../../src/surfaces/http/route.ts';

export interface Link {
  operationId: string;
  parameters: Record<string, string>;
}
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Record<string, unknown>;
}
interface Response {
  $ref?: string;
  content?: Record<string, { schema: object; example?: unknown }>;
  headers?: Record<string, unknown>;
  links?: Record<string, Link>;
}
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: { schema: Record<string, unknown>; required: boolean; example?: unknown } | undefined;
  responses: Record<string, Response>;
}
export interface ApiDocument {
  operations: Operation[];
  schemas: Record<string, Record<string, unknown>>;
  /** Why this is no answer the document declares for the operation; undefined when it is one. */
  check(operation: Operation, status: number, contentType: string, body: unknown): string | undefined;
}

type Raw = {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Record<string, unknown>>; responses: Record<string, Response> };
};

/** The API document as a checker of answers: JSON Schema of draft 2020-12, as OpenAPI 3.1 says. */
export function readApiDocument(source: readonly Route[] | object): ApiDocument {
  const raw = (Array.isArray(source) ? buildOpenApi(source as Route[], '0') : source) as Raw;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema({ $id: 'doc:', components: raw.components });
  const operations = Object.entries(raw.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, spec]) => toOperation(method, path, spec)),
  );
  const known = new Map<string, ValidateFunction>();
  const validator = (key: string, schema: object) => {
    const found = known.get(key) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc:#/')));
    known.set(key, found);
    return found;
  };
  return {
    operations,
    schemas: raw.components.schemas,
    check(operation, status, contentType, body) {
      const declared = operation.responses[status];
      if (declared === undefined) return `status ${status} is not declared`;
      const response =
        declared.$ref === undefined ? declared : raw.components.responses[declared.$ref.split('/').at(-1)!]!;
      if (response.content === undefined) return body === undefined ? undefined : 'a body where none is declared';
      const [[type, { schema }]] = Object.entries(response.content) as [[string, { schema: object }]];
      if (type !== 'application/json') return undefined;
      if (!contentType.startsWith(type)) return `the content type is ${contentType}`;
      const fits = validator(`${operation.operationId} ${declared.$ref ?? status}`, schema);
      return fits(body) ? undefined : `the body does not fit: ${ajv.errorsText(fits.errors)}`;
    },
  };
}

function toOperation(method: string, path: string, spec: Record<string, unknown>): Operation {
  const { requestBody, parameters = [] } = spec as {
    requestBody?: {
      required: boolean;
      content: Record<string, { schema: Record<string, unknown>; example?: unknown }>;
    };
    parameters?: Parameter[];
  };
  const json = requestBody?.content['application/json'];
  return {
    operationId: spec.operationId as string,
    method: method.toUpperCase(),
    path,
    parameters,
    body: json === undefined ? undefined : { ...json, required: requestBody!.required },
    responses: spec.responses as Record<string, Response>,
  };
}
