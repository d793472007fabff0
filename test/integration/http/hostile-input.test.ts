import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { buildOpenApi } from '../../../src/surfaces/http/openapi.ts';
import { route } from '../../../src/surfaces/http/route.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { replaceAt, type Schema, sampleOf, textPaths } from '../../support/sample-input.ts';

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = buildOpenApi(ROUTES, '0') as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
);
const sample = (schema: Schema) => sampleOf(schema, document.components.schemas);
const ID = '01920000-0000-7000-8000-000000000000';

/** A data exception that no schema foresaw. */
const unforeseen = route({
  method: 'GET',
  path: '/unforeseen',
  id: 'unforeseen',
  summary: 'Lets the database refuse a value',
  tag: 'admin',
  access: 'read',
  bound: 'refused',
  response: z.object({}),
  handler: ({ app }) => app.database.query(`SELECT $1::int`, ['secret words']).then(() => ({})),
});

/** Input no schema of ours should have to think of, sent to every place of every route. */
describe('hostile input', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) }, { routes: [...ROUTES, unforeseen] });
  });
  after(() => api[Symbol.asyncDispose]());

  const fill = (path: string, parameters: Parameter[] = [], given: Record<string, string> = {}) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const format = parameters.find((each) => each.name === name)?.schema.format;
      return given[name] ?? (format === 'uuid' ? ID : 'example.com');
    });
  const send = async (method: string, url: string, payload?: unknown) =>
    api.send({
      method: method as 'GET',
      url,
      headers: {
        authorization: `Bearer ${api.keys.admin}`,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    });

  for (const [name, bad] of [
    ['NUL characters', 'a\0b'],
    ['half a surrogate pair', 'a\ud800b'],
  ] as const)
    it(`refuses ${name} in every text of every body, by the name of the field`, async () => {
      let places = 0;
      for (const { method, path, parameters, requestBody } of operations) {
        const schema = requestBody?.content['application/json']?.schema;
        if (schema === undefined) continue;
        const body = sample(schema);
        for (const place of textPaths(body)) {
          places++;
          const answer = await send(method, fill(path, parameters), replaceAt(body, place, bad));
          const where = `${method} ${path} ${place.join('.')}: ${answer.text}`;
          assert.equal(answer.status, 400, where);
          assert.equal(answer.body.code, 'VALIDATION_FAILED', where);
          assert.ok(`body.${place.join('.')}` in answer.body.details, where);
        }
      }
      assert.ok(places > 100, `${places} places`);
    });

  it('refuses NUL characters in every query and path parameter', async () => {
    let places = 0;
    for (const { method, path, parameters = [] } of operations) {
      for (const { name, in: part } of parameters.filter((each) => each.in !== 'header')) {
        places++;
        const url =
          part === 'query' ? `${fill(path, parameters)}?${name}=a%00b` : fill(path, parameters, { [name]: 'a%00b' });
        const answer = await send(method, url);
        assert.equal(answer.status, 400, `${method} ${url}: ${answer.text}`);
        assert.equal(answer.body.code, 'VALIDATION_FAILED', `${method} ${url}: ${answer.text}`);
        assert.ok(`${part}.${name}` in answer.body.details, `${method} ${url}: ${answer.text}`);
      }
    }
    assert.ok(places > 100, `${places} places`);
  });

  it('refuses values nested 5,000 deep, wherever they stand', async () => {
    const deep = '{"a":'.repeat(5_000) + 1 + '}'.repeat(5_000);
    for (const { method, path, parameters, requestBody } of operations) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined) continue;
      const body = sample(schema) as Record<string, unknown>;
      for (const name of Object.keys(body)) {
        const text = JSON.stringify({ ...body, [name]: 0 }).replace(`"${name}":0`, () => `"${name}":${deep}`);
        const answer = await send(method, fill(path, parameters), text);
        assert.equal(answer.status, 400, `${method} ${path} ${name}: ${answer.text}`);
        assert.equal(answer.body.code, 'VALIDATION_FAILED');
        assert.ok(answer.text.length < 2_000, `${answer.text.length} characters`);
      }
    }
  });

  it('names problems without sending a bad request back whole', async () => {
    const names = Array.from({ length: 5_000 }, (_, at) => [`field-${at}-${'x'.repeat(1_000)}`, 1]);
    const answer = await send('POST', '/api/v1/tags', Object.fromEntries(names));
    assert.equal(answer.status, 400);
    assert.ok(answer.text.length < 10_000, `${answer.text.length} characters`);
  });

  it('takes a tampered cursor for none of its own, in every list', async () => {
    const lists = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'cursor'));
    assert.ok(lists.length > 15);
    const crawl = await send('POST', '/api/v1/crawl', { urls: ['https://example.com/'] });
    assert.equal(crawl.status, 202, crawl.text);
    const hostile = ['\0', 'a\ud800', '', 'infinity', '9999-99-99 99:99:99+00', '0000-01-01 00:00:00+00', ID, 1e300];
    const keys = fc.array(fc.constantFrom<unknown>(...hostile, 2 ** 53, 2 ** 31, -1, 0.5, null, {}, [[]], 'x'), {
      minLength: 1,
      maxLength: 4,
    });
    for (const { method, path, parameters } of lists) {
      const ask = (cursor: string, rest = '') =>
        send(method, `${fill(path, parameters, { id: crawl.body.id })}?cursor=${encodeURIComponent(cursor)}${rest}`);
      for (const cursor of ['x', 'null', Buffer.from('[{"a":1}]').toString('base64url'), '~', 'W10'])
        assert.equal((await ask(cursor)).body.code, 'CURSOR_INVALID', `${path} ${cursor}`);
      const variants = [
        '',
        ...(path.endsWith('/pages') ? ['&sort=visited'] : path.endsWith('/frontier') ? ['&state=delayed'] : []),
      ];
      await fc.assert(
        fc.asyncProperty(keys, fc.constantFrom(...variants), async (tampered, rest) => {
          const { status, body, text } = await ask(Buffer.from(JSON.stringify(tampered)).toString('base64url'), rest);
          assert.ok(status === 200 || status === 404 || body.code === 'CURSOR_INVALID', `${path} ${tampered}: ${text}`);
        }),
        { numRuns: 60 },
      );
    }
  });

  it('answers 400 to a value that only the database refuses, and keeps its words inside', async () => {
    const answer = await send('GET', '/api/v1/unforeseen');
    assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], answer.text);
    assert.doesNotMatch(answer.text, /secret words|integer|sqlstate|22P02/);
    assert.ok(api.logged.some(({ level, event }) => level === 'warn' && event === 'request_failed'));
  });
});
