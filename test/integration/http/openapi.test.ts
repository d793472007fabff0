import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { buildOpenApi } from '../../../src/surfaces/http/openapi.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';

interface Operation {
  operationId: string;
  responses: Record<
    string,
    { $ref?: string; links?: Record<string, { operationId: string; parameters: Record<string, string> }> }
  >;
  parameters?: { name: string; in: string }[];
  security: Record<string, string[]>[];
  'x-scope': string;
  'x-rate-class': string;
}

describe('the OpenAPI document', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const spec = buildOpenApi(ROUTES, version) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, unknown>; responses: Record<string, { description: string }> };
  };
  const operations = Object.values(spec.paths).flatMap((entry) => Object.values(entry));

  it('is the one that is committed', () => {
    assert.equal(readFileSync('docs/openapi.json', 'utf8'), `${JSON.stringify(spec, null, 2)}\n`);
  });

  it('has every route once, each with an id of its own', () => {
    assert.equal(operations.length, ROUTES.length);
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, ROUTES.length);
  });

  it('leads every reference somewhere', () => {
    const text = JSON.stringify(spec);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      assert.ok(name! in spec.components.schemas, name);
    for (const [, name] of text.matchAll(/"#\/components\/responses\/([^"]+)"/g))
      assert.ok(name! in spec.components.responses, name);
    assert.ok(!text.includes('$defs'));
  });

  it('declares every answer by its status: there is no default', () => {
    for (const { operationId, responses } of operations) {
      assert.ok(!('default' in responses), operationId);
      assert.ok(
        ['421', '500'].every((status) => status in responses),
        operationId,
      );
    }
    const codes = (id: string, status: string) => {
      const { responses } = operations.find(({ operationId }) => operationId === id)!;
      return spec.components.responses[responses[status]!.$ref!.split('/').at(-1)!]!.description;
    };
    assert.equal(codes('getCrawl', '404'), 'NOT_FOUND');
    assert.equal(codes('restartTask', '409'), 'RAW_MISSING, STATE_CONFLICT');
    assert.match(codes('listCrawls', '400'), /CURSOR_INVALID.*VALIDATION_FAILED/);
    assert.match(codes('createTag', '409'), /CONFLICT.*IDEMPOTENCY_MISMATCH/);
  });

  it('names scope and rate class of every operation', () => {
    for (const [at, { access, limit }] of ROUTES.entries()) {
      const operation = operations.find(({ operationId }) => operationId === ROUTES[at]!.id)!;
      const schemes = access === 'public' ? [] : [{ key: [access] }, { session: [access] }];
      assert.deepEqual([operation['x-scope'], operation.security], [access, schemes]);
      assert.equal(operation['x-rate-class'], limit ?? 'default');
    }
  });

  it('links answers to operations that exist, with all parameters of their paths', () => {
    const links = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ links = {} }) => Object.values(links)),
    );
    const to = new Set<string>();
    for (const { operationId, parameters } of links) {
      const target = operations.find((operation) => operation.operationId === operationId)!;
      const needed = (target.parameters ?? []).filter(({ in: place }) => place === 'path').map(({ name }) => name);
      assert.deepEqual(Object.keys(parameters).sort(), needed.sort(), operationId);
      to.add(operationId);
    }
    // What can be asked for only with something no answer shows: a signed link, and a socket beside its stream.
    const others = ['socketCrawl', 'untagDocument', 'downloadBlob', 'clearDomainCache', 'endMySession'];
    const unreached = operations.filter(({ parameters = [] }) => parameters.some(({ in: place }) => place === 'path'));
    assert.deepEqual(
      unreached.map(({ operationId }) => operationId).filter((id) => !to.has(id)),
      others,
      'no answer leads there: show its id in an answer (openapi-links.ts), or add it to the list above',
    );
    const linked = (from: string, id: string) =>
      Object.values(operations.find(({ operationId }) => operationId === from)!.responses)[0]!.links?.[id]?.parameters;
    assert.deepEqual(linked('startCrawl', 'getCrawl'), { id: '$response.body#/id' });
    assert.deepEqual(linked('listCrawls', 'getCrawl'), { id: '$response.body#/items/0/id' });
    assert.deepEqual(linked('listWebhookDeliveries', 'redeliverWebhook'), {
      id: '$request.path.id',
      deliveryId: '$response.body#/items/0/id',
    });
  });

  it('names every part of every path', () => {
    for (const [path, entry] of Object.entries(spec.paths))
      for (const { parameters = [] } of Object.values(entry))
        assert.deepEqual(
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
          parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
          path,
        );
  });

  it('offers an Idempotency-Key on every POST that makes something', () => {
    for (const entry of ROUTES.filter(({ method, status }) => method === 'POST' && (status === 201 || status === 202)))
      assert.ok(entry.creates !== undefined, entry.path);
  });
});
