import { z } from 'zod';
import type { OtherNames } from '../../operations/other-names.ts';

export type Schema = Record<string, unknown>;

/** JSON Schema of a zod schema; schemas with an id move to the components and leave a reference. */
export function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Map<string, Schema>): Schema {
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
