/** Makes input that fits a JSON Schema of the OpenAPI document, and finds the places in it that hold text. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minimum?: number;
  minItems?: number;
  description?: string;
};

/** Every optional field is filled in too, under its own name; records get one entry of free form. */
export function sampleOf(schema: Schema, components: Record<string, Schema>): unknown {
  const deeper = (inner: Schema) => sampleOf(inner, components);
  if (schema.$ref !== undefined) return deeper(components[schema.$ref.split('/').at(-1)!]!);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf ?? schema.allOf) : undefined;
  if (choice !== undefined) return deeper(choice.find(({ type }) => type === 'string') ?? choice[0]!);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties !== undefined) {
    const known = Object.entries(schema.properties ?? {})
      .filter(([, { description = '' }]) => !description.startsWith('Another name for '))
      .map(([name, inner]) => [name, deeper(inner)] as const);
    const free = typeof schema.additionalProperties === 'object' ? [['name', deeper(schema.additionalProperties)]] : [];
    return Object.fromEntries([...known, ...free]);
  }
  if (type === 'array') return [deeper(schema.items ?? {})];
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (type === 'boolean') return true;
  if (schema.format === 'uuid') return '01920000-0000-7000-8000-000000000000';
  if (schema.format === 'date-time') return '2026-01-01T00:00:00Z';
  return 'https://example.com/';
}

/** The paths of all texts of a value. */
export function textPaths(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([name, inner]) => textPaths(inner, [...path, name]));
}

/** A copy with another value at a path. */
export function replaceAt(value: unknown, [name, ...rest]: (string | number)[], by: unknown): unknown {
  if (name === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = replaceAt(copy[name], rest, by);
  return copy;
}
