import fc from 'fast-check';
import type { Operation } from '../api-document.ts';
import { fitting, Hole, hostile, type Means, Raw } from './values.ts';

/** A request before its holes are filled. */
export interface Draft {
  /** Take the path of a request that an earlier answer led to. */
  linked: number | undefined;
  path: Record<string, unknown>;
  query: [name: string, value: unknown][];
  headers: Record<string, string | Hole>;
  body: unknown;
  /** Instead of the body: bytes that are no JSON. */
  bytes: Buffer | undefined;
  contentType: string | undefined;
  caller: 'admin' | 'read' | 'nobody' | 'wrong';
}

const TYPES = [
  'application/json;charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/xml',
  ';',
  'a/b',
];
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'];
const BYTES = ['', ' ', 'null', '[]', '"x"', '1', '{', '{"a":}', '{} {}', '\ufeff{}', '{"a":"\\ud800"}', 'a=b'];

/** Every other request is meant to fit, so that something is reached; the rest is spoilt in one place or several. */
export const drafts = (operation: Operation, means: Means): fc.Arbitrary<Draft> =>
  fc.oneof(draftsOf(operation, means, true), draftsOf(operation, means, false));

function draftsOf(operation: Operation, means: Means, clean: boolean): fc.Arbitrary<Draft> {
  const spoilt = <Value>(value: fc.Arbitrary<Value>, weight = 12) =>
    clean ? value : fc.oneof({ arbitrary: value, weight }, { arbitrary: hostile(), weight: 1 });
  const place = (kind: string) => operation.parameters.filter((parameter) => parameter.in === kind);
  const path = fc.record(
    Object.fromEntries(place('path').map(({ name, schema }) => [name, spoilt(fitting(schema, means, name))])),
  );
  const known = place('query').map(({ name, schema, required }) => {
    const value = spoilt(fitting(schema, means, name)).map((each) => [[name, each] as [string, unknown]]);
    return fc.oneof(
      { arbitrary: value, weight: required ? 20 : 4 },
      { arbitrary: fc.constant<[string, unknown][]>([]), weight: 12 },
      { arbitrary: value.map(([pair]) => [pair!, pair!]), weight: clean ? 0 : 1 },
    );
  });
  const odd = fc.oneof(
    { arbitrary: fc.constant<[string, unknown][]>([]), weight: 20 },
    { arbitrary: fc.tuple(fc.string({ maxLength: 8 }), hostile()).map((pair) => [pair]), weight: clean ? 0 : 1 },
  );
  const query = fc.tuple(odd, ...known).map((parts) => parts.flat() as [string, unknown][]);
  const body =
    operation.body === undefined
      ? spoilt<unknown>(fc.constant(undefined))
      : clean
        ? fitting(operation.body.schema, means)
        : spoilt(spoilBody(fitting(operation.body.schema, means)), 20);
  const rare = <Value>(value: fc.Arbitrary<Value>, freq = 15) => fc.option(value, { nil: undefined, freq });
  return fc.record({
    linked: fc.oneof({ arbitrary: fc.nat(1_000), weight: 5 }, { arbitrary: fc.constant(undefined), weight: 1 }),
    path,
    query,
    headers: headersOf(operation),
    body,
    bytes: rare(
      fc.oneof(
        fc.constantFrom(...BYTES).map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      ),
    ).map((bytes) => (operation.method === 'GET' || clean ? undefined : bytes)),
    contentType: fc.oneof(
      { arbitrary: fc.constantFrom(...JSON_TYPES), weight: 20 },
      { arbitrary: fc.constantFrom(...TYPES, undefined), weight: clean ? 0 : 1 },
    ),
    caller: fc.oneof(
      { arbitrary: fc.constant('admin' as const), weight: 30 },
      { arbitrary: fc.constantFrom('read' as const, 'nobody' as const, 'wrong' as const), weight: 1 },
    ),
  });
}

function headersOf(operation: Operation): fc.Arbitrary<Record<string, string | Hole>> {
  const names = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const value = fc.oneof(
    fc.nat(1_000).map((pick) => new Hole('etag', pick)),
    fc.constantFrom('x', '*', 'W/"', '"a", "b"', 'é'.repeat(300), ',', '\u00ff'),
  );
  const given = [...names, ...(operation.operationId === 'downloadBlob' ? ['Range'] : []), 'Last-Event-ID'];
  return fc
    .record(Object.fromEntries(given.map((name) => [name, fc.option(value, { nil: undefined, freq: 3 })])))
    .map(
      (all) =>
        Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined)) as Record<string, string>,
    );
}

/** Now and then one field holds something else, or there is one too many. */
function spoilBody(body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(body, fc.nat(1_000), hostile(), fc.integer({ min: 0, max: 9 })).map(([value, pick, bad, dice]) => {
    if (dice > 3 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const names = Object.keys(value);
    if (dice === 0) return { ...value, [`unknown${pick}`]: bad };
    const name = names[pick % Math.max(1, names.length)];
    return name === undefined ? value : { ...value, [name]: bad };
  });
}

/** JSON with raw parts put in as they are. */
export function writeJson(value: unknown, fill: (hole: Hole) => string): string {
  if (value instanceof Raw) return value.text;
  if (value instanceof Hole) return JSON.stringify(fill(value));
  if (Array.isArray(value)) return `[${value.map((each) => writeJson(each ?? null, fill)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${writeJson(each, fill)}`).join(',')}}`;
}

/** Text for a path or a query: percent-encoded, with surrogate halves and broken escapes where a value asks for them. */
export function writeText(value: unknown, fill: (hole: Hole) => string): string {
  if (value instanceof Hole) return encodeURIComponent(fill(value));
  const text =
    value instanceof Raw ? value.text.slice(0, 200) : typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text === '%') return '%zz';
  if (text === '\ud800') return '%ED%A0%80';
  if (text === '*') return '%ff';
  return encodeURIComponent(text.toWellFormed());
}
