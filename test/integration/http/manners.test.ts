import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { z } from 'zod';
import { AppError } from '../../../src/errors.ts';
import { buildOpenApi } from '../../../src/surfaces/http/openapi.ts';
import { parseInput } from '../../../src/surfaces/http/parse-input.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { replaceAt, type Schema, sampleOf } from '../../support/sample-input.ts';

const ID = '01920000-0000-7000-8000-000000000000';

describe('manners of the API', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
  });
  after(() => api[Symbol.asyncDispose]());

  const ok: TestApi['ok'] = (...args) => api.ok(...args);

  it('takes null in every optional field of every body, at every depth', async () => {
    const { paths, components } = buildOpenApi(ROUTES, '0') as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
      components: { schemas: Record<string, Schema> };
    };
    let fields = 0;
    for (const { method, path, body: schema } of ROUTES) {
      if (schema === undefined) continue;
      const operation = paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`]![method.toLowerCase()]!;
      const described = operation.requestBody!.content['application/json']!.schema;
      const sample = sampleOf(described, components.schemas);
      const places = optionalFields(described, components.schemas);
      for (const place of places) {
        fields++;
        const problems = problemsOf(schema, replaceAt(sample, place, null));
        assert.ok(
          !(`body.${place.join('.')}` in problems),
          `${method} ${path} ${place.join('.')}: ${JSON.stringify(problems)}`,
        );
      }
      // Once more through everything behind the parser, all of them together: refused only where leaving them out is.
      const names = places.filter(({ length }) => length === 1).map(([name]) => name!);
      const allNull = names.reduce((body, name) => replaceAt(body, [name], null), sample);
      const without = Object.entries(sample as object).filter(([name]) => !names.includes(name));
      const missed = problemsOf(schema, Object.fromEntries(without));
      const { body: said, text } = await api.call(method, path.replace(/:\w+/g, ID), allNull);
      const refused = said?.code === 'VALIDATION_FAILED' ? Object.keys(said.details ?? {}) : [];
      for (const name of names.map((each) => `body.${each}`))
        assert.ok(!refused.includes(name) || name in missed, `${method} ${path} ${name}: ${text}`);
    }
    assert.ok(fields > 100, `${fields} fields`);
  });

  it('null in a field that is needed is still refused, by name', async () => {
    const answer = await api.call('POST', '/tags', { name: null });
    assert.equal(answer.status, 400);
    assert.ok('body.name' in answer.body.details, answer.text);
  });

  it('takes times as ISO 8601 and nothing else', async () => {
    for (const since of [true, 0, 1e12, '', 'yesterday', '2026-13-01', [], {}])
      assert.equal((await api.call('POST', '/replays', { since, dry_run: true })).status, 400, String(since));
    for (const since of ['2026-01-01', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00.123456+02:00', '2026-01-01T10:00'])
      assert.notEqual((await api.call('POST', '/replays', { since, dry_run: true })).status, 400, since);
  });

  it('reduces a host to the domain things are stored under, in every filter', async () => {
    await ok('POST', '/crawl', { urls: ['https://docs.example.net/a'] }, 202);
    await ok('POST', '/documents', { url: 'https://docs.example.net/b', content: 'Words.' }, 201);
    for (const host of ['example.net', 'docs.example.net', 'WWW.example.net'])
      for (const list of ['/tasks', '/documents'])
        assert.equal((await ok('GET', `${list}?domain=${host}`)).items.length, 1, `${list} ${host}`);
    const restarted = await api.call('POST', '/tasks/restart-failed', { domain: 'docs.example.net' });
    assert.equal(restarted.status, 200, restarted.text);
  });

  it('deletes a tag; its documents stay, without it', async () => {
    const document = {
      url: 'https://example.com/tagged',
      content: 'Some words to read.',
      tags: ['passing', 'staying'],
    };
    const { id } = await ok('POST', '/documents', document, 201);
    const { items } = await ok('GET', '/tags');
    const passing = items.find(({ name }: { name: string }) => name === 'passing');
    await ok('DELETE', `/tags/${passing.id}`, undefined, 204);
    const left = await ok('GET', `/documents/${id}`);
    assert.deepEqual(
      left.tags.map((tag: { name?: string } | string) => (typeof tag === 'string' ? tag : tag.name)),
      ['staying'],
    );
    assert.equal((await api.call('DELETE', `/tags/${passing.id}`)).body.code, 'NOT_FOUND');
    const [waiting] = await api.app.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM outbox WHERE document_id = $1',
      [id],
    );
    assert.ok(waiting!.n > 0, 'the index is told');
  });

  it('one bad address does not refuse a batch: the rest is taken, each refusal is named', async () => {
    await ok('POST', '/domains/blocked.example/block', {});
    const urls = [
      'https://example.com/good',
      'no address',
      'http://10.0.0.1/',
      'https://blocked.example/',
      'https://example.org/',
    ];
    const batch = await ok('POST', '/crawl/batch', { urls }, 202);
    assert.deepEqual(batch.urls, ['https://example.com/good', 'https://example.org/']);
    assert.deepEqual([batch.total_submitted, batch.failed_count], [2, 3]);
    assert.deepEqual(
      batch.refused.map(({ url, code }: { url: string; code: string }) => [url, code]),
      [
        ['no address', 'URL_INVALID'],
        ['http://10.0.0.1/', 'URL_BLOCKED'],
        ['https://blocked.example/', 'DOMAIN_BLOCKED'],
      ],
    );
    const none = await api.call('POST', '/crawl/batch', { urls: urls.slice(1, 3) });
    assert.deepEqual([none.status, none.body.code, none.body.details.refused.length], [400, 'URL_INVALID', 2]);
  });

  it('shows what a crawl was asked for: keywords, threshold, options, and never a header', async () => {
    const asked = { keywords: ['vineyard'], score_threshold: 0.2, strategy: 'best_first' };
    const options = { scope: 'host', headers: { authorization: 'Bearer hidden' } };
    const { id } = await ok('POST', '/crawl/deep', { url: 'https://example.com/', ...asked, options }, 202);
    const crawl = await api.call('GET', `/crawl/${id}`);
    assert.deepEqual(
      [crawl.body.keywords, crawl.body.score_threshold, crawl.body.options.scope],
      [['vineyard'], 0.2, 'host'],
    );
    assert.ok(!crawl.text.includes('hidden'));
  });

  it('takes the names of the specification', async () => {
    const source = await ok('POST', '/sources', { name: 'by pattern', url_pattern: 'https://example.com/docs' }, 201);
    assert.equal(source.url, 'https://example.com/docs');
    assert.ok('body.url' in (await api.call('POST', '/sources', { name: 'x' })).body.details);
    const twice = { name: 'x', url: 'https://example.com/', url_pattern: 'https://example.com/' };
    assert.ok('body.url_pattern' in (await api.call('POST', '/sources', twice)).body.details);
    const flat = { name: 'flat', max_depth: 3, rate_limit_rps: 0.5, respect_robots_txt: true, chunk_overlap: 25 };
    const config = await ok('POST', '/configs', { ...flat, page_timeout_ms: 9_000, options: { max_depth: 4 } }, 201);
    assert.deepEqual(
      [config.options.max_depth, config.options.chunk_overlap, config.options.page_timeout_ms],
      [4, 25, 9_000],
    );
    const policy = { circuit_breaker_threshold: 7, circuit_breaker_timeout_s: 60, is_blocked: true };
    const domain = await ok('PUT', '/domains/policy.example', policy);
    assert.deepEqual([domain.circuit.threshold, domain.circuit.timeout_s, domain.is_blocked], [7, 60, true]);
    assert.equal((await ok('PUT', '/domains/policy.example', { is_blocked: false })).is_blocked, false);
  });

  it('writes metadata in the style of the API, and a caller’s own as it came', async () => {
    const content = '---\nauthor: Ada\ndate: 2026-01-02\n---\n\n# Words\n\nSome words to read.';
    const document = { url: 'https://example.com/meta', content, metadata: { myField: 1 } };
    const { id } = await ok('POST', '/documents', document, 201);
    const { metadata } = await ok('GET', `/documents/${id}`);
    assert.equal(metadata.myField, 1);
    for (const name of Object.keys(metadata).filter((each) => each !== 'myField')) assert.match(name, /^[a-z_]+$/);
  });

  it('the same Idempotency-Key for another request is a conflict', async () => {
    const headers = { 'idempotency-key': 'one-key' };
    assert.equal((await api.call('POST', '/tags', { name: 'first' }, headers)).status, 201);
    const other = await api.call('POST', '/tags', { name: 'second' }, headers);
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_MISMATCH']);
  });
});

function problemsOf(schema: z.ZodType, body: unknown): Record<string, unknown> {
  try {
    parseInput(schema, body, 'body');
    return {};
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'VALIDATION_FAILED', String(error));
    return error.details ?? {};
  }
}

/** The paths of all fields that may be left out, inside the objects a sample fills in. */
function optionalFields(schema: Schema & { required?: string[] }, components: Record<string, Schema>): string[][] {
  if (schema.$ref !== undefined) return optionalFields(components[schema.$ref.split('/').at(-1)!]!, components);
  const either = (schema.allOf ?? []).flatMap(({ anyOf = [] }) => anyOf) as { required?: string[] }[];
  const needed = [schema, ...either].flatMap(({ required = [] }) => required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    ...(needed.includes(name) ? [] : [[name]]),
    ...optionalFields(inner, components).map((path) => [name, ...path]),
  ]);
}
