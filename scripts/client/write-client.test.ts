import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseSync } from 'oxc-parser';
import type { ApiDocument, Schema } from './document.ts';
import { methodOf } from './names.ts';
import { createTypeWriter } from './types.ts';
import { writeClient } from './write-client.ts';

const write = (schema: Schema, schemas: Record<string, Schema> = {}) =>
  createTypeWriter({ components: { schemas } }, schemas).write(schema).replace(/\s+/g, ' ');

describe('a type of a schema', () => {
  for (const [schema, type] of [
    [{}, 'unknown'],
    [true, 'unknown'],
    [false, 'never'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ const: 'a' }, '"a"'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, 'Array<string | null>'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }, '[string, number]'],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, '[string, ...number[]]'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', properties: { 'a-b': { type: 'string' } } }, '{ "a-b"?: string; }'],
    [
      { type: 'object', properties: { a: { type: 'string', description: 'An */ end' } }, required: ['a'] },
      '{ /** An *\\/ end */ a: string; }',
    ],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/b-c' }] }, 'A & BC'],
    [{ $ref: '#/components/schemas/A', nullable: true }, 'A | null'],
    [{ type: 'object', properties: { a: {} }, allOf: [{ anyOf: [{ required: ['a'] }] }] }, '{ a?: unknown; }'],
    [{ $ref: '#/nowhere' }, 'unknown'],
    [{ $ref: 'https://example.com/other.json' }, 'unknown'],
  ] as [Schema, string][])
    it(`${JSON.stringify(schema)} is ${type}`, () => assert.equal(write(schema, { A: {}, 'b-c': {} }), type));

  it('of schemas whose names clash or mean something else has a name of its own', () => {
    const text = createTypeWriter({}, { Error: {}, 'a-b': {}, 'a.b': {} }).models();
    assert.match(text, /export type ErrorBody = unknown;[\s\S]*type AB = [\s\S]*type AB2 = /);
  });

  it('that holds itself without a name ends', () => {
    const document = { loop: { type: 'array', items: { $ref: '#/loop' } } };
    assert.match(createTypeWriter(document, {}).write({ $ref: '#/loop' }), /unknown/);
  });
});

it('methods have the verb, and the noun only where it says more than the group', () => {
  const taken = new Set<string>();
  const names = [
    ['listCrawls', 'crawl'],
    ['listCrawlTasks', 'crawl'],
    ['getProxy', 'proxies'],
    ['listDomainProxies', 'proxies'],
    ['search', 'search'],
    ['get-odd_name', 'x'],
  ].map(([id, tag]) => methodOf(id!, tag!, taken));
  assert.deepEqual(names, ['list', 'listTasks', 'get', 'listDomainProxies', 'search', 'getOddName']);
  assert.equal(methodOf('listCrawls', 'crawl', new Set(['list'])), 'listCrawls');
});

describe('a client', () => {
  const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
  const make = (paths: ApiDocument['paths']) => writeClient({ info: { version: '1' }, ...(paths && { paths }) });

  it('is made from any document: no operation id, no tag, shared parameters, references, other content', () => {
    const text = writeClient({
      info: { version: '1' },
      paths: {
        '/api/v1/it`s/{some-id}/$x': {
          parameters: [{ name: 'some-id', in: 'path', required: true, schema: { type: 'string' } }],
          get: { responses: { 200: { $ref: '#/components/responses/Csv' } } },
          put: {
            operationId: 'putIt',
            tags: ['odd tag'],
            requestBody: { $ref: '#/components/requestBodies/Form' },
            responses: { 200: json({ type: 'object', properties: { a: {} } }), 202: {}, 304: {}, default: json({}) },
          },
        },
        '/api/v1/go': { get: { operationId: 'go', responses: { 302: {} } } },
      },
      components: {
        responses: { Csv: { content: { 'text/csv': {} } } },
        requestBodies: { Form: { content: { 'multipart/form-data': {}, 'application/json': { schema: {} } } } },
      },
    } as ApiDocument);
    assert.deepEqual(parseSync('client.ts', text).errors, []);
    assert.match(
      text,
      /other: \{\s+getApiV1ItSSomeIdX: \(someId: string, options\?: CallOptions\): Promise<Response> =>\s+call\([^\n]*\{ raw: true \}/,
    );
    assert.match(
      text,
      /oddTag: \{\s+putIt: \(someId: string, body\?: FormData \| unknown, [^\n]*Promise<PutItAnswer \| void>/,
    );
    assert.doesNotMatch(text, /go:/);
  });

  it('has no import it does not use, and an empty document is a client too', () => {
    assert.doesNotMatch(make({}), /ListPage|part/);
    assert.deepEqual(parseSync('client.ts', make({})).errors, []);
  });

  it('of our own document has a method for every operation but sockets', () => {
    const document = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
    ) as ApiDocument;
    const text = writeClient(document);
    assert.equal(text, writeClient(document));
    const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item)) as {
      responses: Record<string, unknown>;
    }[];
    const callable = operations.filter(({ responses }) => Object.keys(responses).some((status) => /^2/.test(status)));
    assert.equal(text.match(/=>\n {6}(call|follow)\(/g)?.length, callable.length);
  });
});
