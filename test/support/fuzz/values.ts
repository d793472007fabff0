import fc from 'fast-check';

/** Values for a JSON Schema: such as fit it, such as nearly do, and such as no schema should have to think of. */

export type Schema = Record<string, unknown>;

/** A place whose value is known only when the request is sent: the id of something that is there by then. */
export class Hole {
  readonly name: string;
  readonly pick: number;
  constructor(name: string, pick: number) {
    this.name = name;
    this.pick = pick;
  }
}

/** Text that goes into the body as it is, though JSON.stringify would never write it. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export interface Means {
  schemas: Record<string, Schema>;
  /** The only place on the web that may be named. */
  origin: string;
}

const hole = (name: string) => fc.nat(1_000).map((pick) => new Hole(name, pick));

const DEEP = new Raw(`${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`);
const DEEP_ARRAY = new Raw(`${'['.repeat(3_000)}${']'.repeat(3_000)}`);

/** What stands where something else was expected. */
export const hostile = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(
      ...[
        '',
        ' ',
        '\0',
        'a\0b',
        '\ud800',
        'x\udc00y',
        '\u202e',
        '__proto__',
        'constructor',
        '../../etc/passwd',
        "' OR 1=1 --",
      ],
      ...[null, true, false, 0, -1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 63), 1e-320, [], {}, [[]], [null]],
      ...[new Raw('1e999'), new Raw('-0'), new Raw('NaN'), new Raw('Infinity'), new Raw('0x10'), DEEP, DEEP_ARRAY],
      ...[new Raw('{"__proto__":{"a":1}}'), new Raw('{"a":1,"a":2}'), new Raw('123456789012345678901234567890')],
      ...[
        'x'.repeat(70_000),
        '0000-01-01T00:00:00Z',
        '9999-12-31T23:59:59Z',
        '2026-02-30',
        'infinity',
        'NaN',
        '%',
        '*',
      ],
      ...[
        'a'.repeat(300),
        '1e999',
        '-1',
        '127.0.0.1',
        'javascript:alert(1)',
        'file:///etc/passwd',
        'http://',
        'http://[::1',
      ],
      ...['(a+)+$', '[', '\\', '{{7*7}}', '$1', '\u{1f600}', '\ufeff', '\r\nx: y', 'İ', 'ß', '٣'],
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.double(),
    fc.bigInt().map((number) => new Raw(String(number))),
    fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  );

/** Values that fit, or nearly: formats and patterns are met where that is easy. */
export function fitting(schema: Schema, means: Means, name = '', depth = 0): fc.Arbitrary<unknown> {
  const inner = (other: Schema, as = name) => fitting(other, means, as, depth + 1);
  if (typeof schema.$ref === 'string') return inner(means.schemas[schema.$ref.split('/').at(-1)!]!);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices !== undefined && schema.properties === undefined) return fc.oneof(...choices.map((each) => inner(each)));
  const types = (
    Array.isArray(schema.type) ? schema.type : [schema.type ?? (schema.properties ? 'object' : 'any')]
  ) as string[];
  return fc.oneof(...types.map((type) => ofType(type, schema, means, name, depth)));
}

function ofType(type: string, schema: Schema, means: Means, name: string, depth: number): fc.Arbitrary<unknown> {
  const { minimum, maximum, minItems = 0, items } = schema as Record<string, number> & { items?: Schema };
  switch (type) {
    case 'object':
      return ofObject(schema, means, depth);
    case 'array': {
      const most = depth > 4 ? Number(minItems) : Number(minItems) + 2;
      return fc.array(fitting(items ?? {}, means, name, depth + 1), { minLength: Number(minItems), maxLength: most });
    }
    case 'integer':
      return fc.integer({ min: Math.max(minimum ?? -5, -(2 ** 31)), max: Math.min(maximum ?? 2_000, 2 ** 31) });
    case 'number':
      return fc.double({ min: minimum ?? -5, max: maximum ?? 1_000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return ofString(schema, means, name);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function ofObject(schema: Schema, means: Means, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] };
  const fields = Object.entries(properties).map(([name, inner]) => {
    const value = fitting(inner, means, name, depth + 1);
    const present = required.includes(name) ? value : fc.option(value, { nil: undefined, freq: depth > 2 ? 1 : 3 });
    return [name, present] as const;
  });
  const free = schema.additionalProperties;
  if (fields.length === 0 && typeof free === 'object' && free !== null)
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fitting(free as Schema, means, '', depth + 1), {
      maxKeys: 3,
    });
  return fc.record(Object.fromEntries(fields));
}

function ofString(schema: Schema, { origin }: Means, name: string): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 30, format, pattern } = schema as Record<string, never> & { format?: string };
  if (format === 'uuid' || /(^|_)ids?$/.test(name)) return fc.oneof(hole(name), fc.uuid());
  if (name === 'cursor') return fc.oneof(hole('cursor'), fc.base64String({ maxLength: 40 }));
  if (format === 'uri' || /url|site|domain/.test(name))
    return fc.oneof(
      fc.webPath().map((path) => `${origin}${path}`),
      fc.constantFrom(
        origin,
        `${origin}/`,
        `${origin}/shop`,
        new URL(origin).host,
        'http://127.0.0.1:9/',
        'spare.example',
      ),
    );
  if (format === 'date-time' || format === 'date')
    return fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map((date) => {
      const text = date.toISOString();
      return format === 'date' ? text.slice(0, 10) : text;
    });
  if (typeof pattern === 'string' && (pattern as string).length < 80) {
    try {
      return fc.stringMatching(new RegExp(pattern), { size: 'small' });
    } catch {
      // A pattern the generator cannot read: any text will do.
    }
  }
  const most = Math.max(Number(minLength), Math.min(Number(maxLength), 30));
  return fc.oneof(
    fc.string({ minLength: Number(minLength), maxLength: most }),
    fc.constantFrom('0 4 * * *', 'Europe/Berlin', 'en', 'heat', 'DE', 'EUR', '# Words\n\nto read', 'key', 'x'),
  );
}
