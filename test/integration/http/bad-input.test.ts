import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { AppError } from '../../../src/errors.ts';
import { route } from '../../../src/surfaces/http/route.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const breaks = route({
  method: 'GET',
  path: '/breaks',
  id: 'breaks',
  summary: 'Breaks',
  tag: 'admin',
  access: 'public',
  bound: 'open',
  limit: 'none',
  response: z.object({}),
  handler: async () => {
    throw new Error('the secret reason at /srv/inside.ts');
  },
});
const lies = route({
  ...breaks,
  path: '/lies',
  id: 'lies',
  response: z.object({ fine: z.boolean() }),
  handler: async () => ({ password_hash: 'x' }) as never,
});

describe('bad input over HTTP', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) }, { routes: [...ROUTES, breaks, lies] });
  });
  after(() => api[Symbol.asyncDispose]());

  const key = () => ({ authorization: `Bearer ${api.keys.admin}` });
  const json = { 'content-type': 'application/json' };
  const cases: {
    name: string;
    request: () => Parameters<TestApi['send']>[0];
    status: number;
    code: string;
    field?: string;
  }[] = [
    {
      name: 'malformed JSON',
      request: () => ({
        method: 'POST',
        url: '/api/v1/collections',
        headers: { ...key(), ...json },
        payload: '{"name":',
      }),
      status: 400,
      code: 'JSON_INVALID',
    },
    {
      name: 'a poisoned prototype',
      request: () => ({
        method: 'POST',
        url: '/api/v1/collections',
        headers: { ...key(), ...json },
        payload: '{"__proto__":{"admin":true},"name":"x"}',
      }),
      status: 400,
      code: 'JSON_INVALID',
    },
    {
      name: 'an empty body where one is needed',
      request: () => ({ method: 'POST', url: '/api/v1/collections', headers: { ...key(), ...json }, payload: '' }),
      status: 400,
      code: 'VALIDATION_FAILED',
      field: 'body.name',
    },
    {
      name: 'a body of another type',
      request: () => ({
        method: 'POST',
        url: '/api/v1/collections',
        headers: { ...key(), 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'name=x',
      }),
      status: 415,
      code: 'MEDIA_TYPE_UNSUPPORTED',
    },
    {
      name: 'a body above 10 MB',
      request: () => ({
        method: 'POST',
        url: '/api/v1/collections',
        headers: { ...key(), ...json },
        payload: JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) }),
      }),
      status: 413,
      code: 'BODY_TOO_LARGE',
    },
    {
      name: 'a field that is not known',
      request: () => ({ method: 'POST', url: '/api/v1/collections', headers: key(), payload: { name: 'x', nmae: 1 } }),
      status: 400,
      code: 'VALIDATION_FAILED',
      field: 'body',
    },
    {
      name: 'a field of the wrong type',
      request: () => ({ method: 'POST', url: '/api/v1/collections', headers: key(), payload: { name: 7 } }),
      status: 400,
      code: 'VALIDATION_FAILED',
      field: 'body.name',
    },
    {
      name: 'an unknown route',
      request: () => ({ method: 'GET', url: '/api/v1/nothing-here', headers: key() }),
      status: 404,
      code: 'NOT_FOUND',
    },
    {
      name: 'a wrong method',
      request: () => ({ method: 'PATCH', url: '/api/v1/collections', headers: key() }),
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    },
    {
      name: 'an id that is no id',
      request: () => ({ method: 'GET', url: '/api/v1/collections/7', headers: key() }),
      status: 400,
      code: 'VALIDATION_FAILED',
      field: 'path.id',
    },
    {
      name: 'an unknown id',
      request: () => ({
        method: 'GET',
        url: '/api/v1/collections/01920000-0000-7000-8000-000000000000',
        headers: key(),
      }),
      status: 404,
      code: 'NOT_FOUND',
    },
    {
      name: 'a broken escape in the path',
      request: () => ({ method: 'GET', url: '/api/v1/domains/%E0%A4%A', headers: key() }),
      status: 404,
      code: 'NOT_FOUND',
    },
    {
      name: 'a limit out of range',
      request: () => ({ method: 'GET', url: '/api/v1/collections?limit=100000', headers: key() }),
      status: 400,
      code: 'VALIDATION_FAILED',
      field: 'query.limit',
    },
    {
      name: 'a cursor from elsewhere',
      request: () => ({ method: 'GET', url: '/api/v1/collections?cursor=bm90LWEtY3Vyc29y', headers: key() }),
      status: 400,
      code: 'CURSOR_INVALID',
    },
    {
      name: 'a name that is taken',
      request: () => ({ method: 'POST', url: '/api/v1/collections', headers: key(), payload: { name: 'taken' } }),
      status: 409,
      code: 'CONFLICT',
    },
    {
      name: 'a key that is not known',
      request: () => ({ method: 'GET', url: '/api/v1/collections', headers: { authorization: 'Bearer c4r_nobody' } }),
      status: 401,
      code: 'AUTH_REQUIRED',
    },
    {
      name: 'another kind of authorization',
      request: () => ({ method: 'GET', url: '/api/v1/collections', headers: { authorization: 'Basic eDp5' } }),
      status: 401,
      code: 'AUTH_REQUIRED',
    },
    {
      name: 'a failure of our own',
      request: () => ({ method: 'GET', url: '/api/v1/breaks' }),
      status: 500,
      code: 'INTERNAL_ERROR',
    },
    {
      name: 'an answer that breaks its promise',
      request: () => ({ method: 'GET', url: '/api/v1/lies' }),
      status: 500,
      code: 'INTERNAL_ERROR',
    },
  ];

  before(async () => {
    await api.call('POST', '/collections', { name: 'taken' });
  });
  for (const { name, request, status, code, field } of cases)
    it(`${name}: ${code}, a sentence, a hint, no stack trace`, async () => {
      const answer = await api.send(request());
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.code, code);
      assert.match(answer.body.error, /\w+ \w+/);
      assert.ok(answer.body.request_id.length >= 8);
      assert.equal(answer.headers['x-request-id'], answer.body.request_id);
      assert.equal(typeof answer.body.hint, 'string', answer.text);
      assert.doesNotMatch(answer.text, /\bat .*\.(ts|js)|node_modules|secret reason/);
      if (field !== undefined) assert.ok(field in answer.body.details, answer.text);
    });

  it('names the methods an address takes', async () => {
    const answer = await api.call('PATCH', '/collections');
    assert.equal(answer.headers.allow, 'GET, POST');
  });

  it('a rate of nearly nothing is a pace that can be stored', async () => {
    const options = { rate_limit_rps: Number.MIN_VALUE };
    const { id } = await api.ok('POST', '/crawl', { urls: ['https://example.com/'], options }, 202);
    const [row] = await api.app.database.query('SELECT pace_ms FROM crawls WHERE id = $1', [id]);
    assert.deepEqual(row, { pace_ms: 86_400_000 });
  });

  it('what is deleted while a request names it is not found, and no failure of ours', async () => {
    const urls = ['https://example.com/'];
    const answers = Array.from({ length: 8 }, async (_, at) => {
      const { id } = await api.ok('POST', '/collections', { name: `passing ${at}` }, 201);
      const [crawl] = await Promise.all([
        api.call('POST', '/crawl', { urls, collection_id: id }),
        api.call('DELETE', `/collections/${id}`),
      ]);
      return crawl;
    });
    for (const { status, text } of await Promise.all(answers)) assert.ok(status === 202 || status === 404, text);
  });

  it('a method that no route takes is refused before its body is read', async () => {
    for (const method of ['QUERY', 'PROPFIND', 'OPTIONS', 'PATCH']) {
      const answer = await api.send({
        method: method as 'GET',
        url: '/api/v1/collections',
        headers: { ...key(), ...json },
        payload: 'no JSON',
      });
      assert.deepEqual([answer.status, answer.body.code], [405, 'METHOD_NOT_ALLOWED'], method);
    }
  });

  it('logs a failure of our own under the request id it answers with', async () => {
    const answer = await api.send({ method: 'GET', url: '/api/v1/breaks', headers: { 'x-request-id': 'traced-0001' } });
    assert.equal(answer.body.request_id, 'traced-0001');
    const entry = api.logged.find(({ fields }) => fields.request_id === 'traced-0001' && fields.code !== undefined);
    assert.match(String(entry?.fields.error), /secret reason/);
  });

  it('says 503 and why while the database is gone, and stays alive', async () => {
    const down = async () => {
      throw new AppError('DATABASE_DOWN', 'the database does not answer');
    };
    await using other = await createTestApi();
    const { query, check } = other.app.database;
    Object.assign(other.app.database, { query: down, check: down });
    try {
      const answer = await other.call('GET', '/collections');
      assert.deepEqual([answer.status, answer.body.code], [503, 'DATABASE_DOWN']);
      assert.match(answer.body.hint, /nothing is lost/);
      assert.equal((await other.send({ method: 'GET', url: '/api/v1/health' })).status, 200);
      const ready = await other.send({ method: 'GET', url: '/api/v1/health/ready' });
      assert.deepEqual(
        [ready.status, ready.body.status, ready.body.checks.cache],
        [503, 'down', { engine: 'memory', status: 'ok', ms: ready.body.checks.cache.ms }],
      );
    } finally {
      Object.assign(other.app.database, { query, check });
    }
  });

  for (const field of ['include_patterns', 'exclude_patterns'])
    it(`${field}: 500 alternatives over all of them, and not one more`, async () => {
      // Patterns may be 500 characters long: 250 alternatives each.
      const half = Array(250).fill('a').join('|');
      for (const [patterns, fits] of [
        [[half, half], true],
        [[half, half, 'b'], false],
      ] as const)
        for (const [path, body] of [
          ['/crawl/deep', { url: 'https://example.com/' }],
          ['/configs', { name: `patterns ${field}` }],
          ['/sources', { name: `patterns ${field}`, url: 'https://example.com/' }],
        ] as const) {
          const answer = await api.call('POST', path, { ...body, options: { [field]: patterns } });
          if (fits) assert.ok(answer.status < 300, answer.text);
          else {
            assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], path);
            assert.match(answer.body.details[`body.options.${field}`], /at most 500 alternatives/);
            assert.ok(answer.body.hint.length > 0);
          }
        }
    });
});
