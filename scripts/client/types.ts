import { comment, isRecord, lookUp, pascal, type Schema } from './document.ts';

/** Names that mean something else wherever the types are used. */
const TAKEN: Record<string, string> = { Error: 'ErrorBody', Record: 'RecordModel', Promise: 'PromiseModel' };
const COMPONENT = '#/components/schemas/';
/** Schemas nest; one that nests without end by references that have no name is cut off here. */
const MAX_DEPTH = 40;

/** Turns JSON Schema (draft 2020-12) into TypeScript. What a type cannot say (lengths, patterns, conditions) is left out. */
export interface TypeWriter {
  /** The type of a schema, written where `indent` stands. */
  write(schema: Schema | undefined, indent?: string): string;
  /** Every named schema as an exported type. */
  models(): string;
  /** An exported type. */
  declare(name: string, schema: Schema, description?: string): string;
}

export function createTypeWriter(document: unknown, schemas: Readonly<Record<string, Schema>>): TypeWriter {
  const names = nameAll(Object.keys(schemas));

  function write(schema: Schema | undefined, indent = '', depth = 0): string {
    if (schema === false) return 'never';
    if (!isRecord(schema) || depth > MAX_DEPTH) return 'unknown';
    const deeper = (inner: unknown, at = indent) => write(inner as Schema, at, depth + 1);
    const parts: string[] = [];
    if (typeof schema.$ref === 'string') parts.push(refer(schema.$ref, indent, depth));
    const own = writeOwn(schema, indent, deeper);
    if (own !== 'unknown') parts.push(own);
    for (const keyword of ['anyOf', 'oneOf'])
      if (Array.isArray(schema[keyword])) parts.push(union(schema[keyword].map((each) => deeper(each))));
    if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map((each) => deeper(each)));
    const all = intersect(parts);
    return schema.nullable === true ? union([all, 'null']) : all;
  }

  function refer(reference: string, indent: string, depth: number): string {
    const named = reference.startsWith(COMPONENT) ? names.get(reference.slice(COMPONENT.length)) : undefined;
    return named ?? write(lookUp(document, reference) as Schema | undefined, indent, depth + 1);
  }

  const declare: TypeWriter['declare'] = (name, schema, description) => {
    const type = write(schema);
    const about = comment(description ?? (isRecord(schema) ? text(schema.description) : undefined), '');
    return isPlainObject(type)
      ? `${about}export interface ${name} ${type}\n`
      : `${about}export type ${name} = ${type};\n`;
  };

  return {
    write: (schema, indent) => write(schema, indent),
    declare,
    models: () =>
      Object.entries(schemas)
        .map(([name, schema]) => declare(names.get(name)!, schema))
        .join('\n'),
  };
}

/** What the schema says by itself, without references and combinations. */
function writeOwn(
  schema: Record<string, unknown>,
  indent: string,
  deeper: (inner: unknown, indent?: string) => string,
): string {
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const given = Array.isArray(schema.type) ? schema.type : [schema.type];
  return union(given.map((type) => writeNamed(type, schema, indent, deeper)));
}

function writeNamed(
  type: unknown,
  schema: Record<string, unknown>,
  indent: string,
  deeper: (inner: unknown, indent?: string) => string,
): string {
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' || (type === undefined && ('items' in schema || 'prefixItems' in schema)))
    return writeArray(schema, deeper);
  if (type === 'object' || (type === undefined && ('properties' in schema || 'additionalProperties' in schema)))
    return writeObject(schema, indent, deeper);
  return 'unknown';
}

function writeArray({ items, prefixItems }: Record<string, unknown>, deeper: (inner: unknown) => string): string {
  const rest = items === false ? undefined : deeper(items);
  if (!Array.isArray(prefixItems)) return rest === undefined ? '[]' : arrayOf(rest);
  const first = prefixItems.map((each) => deeper(each));
  return `[${[...first, ...(rest === undefined || items === undefined ? [] : [`...${arrayOf(rest)}`])].join(', ')}]`;
}

const arrayOf = (type: string) => (/^[\w$]+$/.test(type) ? `${type}[]` : `Array<${type}>`);

function writeObject(
  schema: Record<string, unknown>,
  indent: string,
  deeper: (inner: unknown, indent?: string) => string,
): string {
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const others = [
    ...(isRecord(schema.additionalProperties) || schema.additionalProperties === true
      ? [schema.additionalProperties]
      : []),
    ...Object.values(isRecord(schema.patternProperties) ? schema.patternProperties : {}),
  ];
  const open = others.length > 0 ? `Record<string, ${union(others.map((each) => deeper(each)))}>` : undefined;
  if (properties.length === 0) return open ?? (schema.additionalProperties === false ? 'Record<string, never>' : OPEN);
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const about = comment(isRecord(property) ? text(property.description) : undefined, inner);
    return `${about}${inner}${key(name)}${required.has(name) ? '' : '?'}: ${deeper(property, inner)};\n`;
  });
  const closed = `{\n${lines.join('')}${indent}}`;
  return open === undefined ? closed : `${closed} & Record<string, unknown>`;
}

const OPEN = 'Record<string, unknown>';
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const literal = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'unknown' : (JSON.stringify(value) ?? 'unknown');
const isPlainObject = (type: string) => type.startsWith('{') && !/\n\} [&|]/.test(type) && !type.includes('} & Record');

function union(types: readonly string[]): string {
  const known = [...new Set(types)];
  if (known.includes('unknown') || known.length === 0) return 'unknown';
  const without = known.filter((type) => type !== 'never');
  return without.length === 0 ? 'never' : without.map((type) => (/ & /.test(type) ? `(${type})` : type)).join(' | ');
}

function intersect(types: readonly string[]): string {
  const known = [...new Set(types)].filter((type) => type !== 'unknown');
  if (known.length < 2) return known[0] ?? 'unknown';
  return known.map((type) => (/ \| /.test(type) ? `(${type})` : type)).join(' & ');
}

/** One identifier for each name of the document; two that would come out the same are numbered. */
function nameAll(given: readonly string[]): Map<string, string> {
  const used = new Set<string>();
  return new Map(
    given.map((name) => {
      const base = TAKEN[pascal(name)] ?? pascal(name);
      let made = base;
      for (let nth = 2; used.has(made); nth++) made = `${base}${nth}`;
      used.add(made);
      return [name, made];
    }),
  );
}
