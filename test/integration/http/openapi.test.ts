import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { buildOpenApi } from '../../../src/surfaces/http/openapi.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';

interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
  parameters?: { name: string; in: string }[];
}

describe('the OpenAPI document', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const spec = buildOpenApi(ROUTES, version) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, unknown> };
  };

  it('is the one that is committed', () => {
    assert.equal(readFileSync('docs/openapi.json', 'utf8'), `${JSON.stringify(spec, null, 2)}\n`);
  });

  it('has every route once, each with an id of its own', () => {
    const operations = Object.values(spec.paths).flatMap((entry) => Object.values(entry));
    assert.equal(operations.length, ROUTES.length);
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, ROUTES.length);
  });

  it('leads every reference somewhere', () => {
    const text = JSON.stringify(spec);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      assert.ok(name! in spec.components.schemas, name);
    assert.ok(!text.includes('$defs'));
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
