import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildOpenApi } from '../../../src/surfaces/http/openapi.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { type Schema, sampleOf } from '../../support/sample-input.ts';

const CLOUD = 'http://169.254.169.254/latest/meta-data';
const GOOD = 'https://example.com/';

/** Every place that takes an address to reach, with a body that is right but for it. */
const PLACES: [method: string, path: string, field: string, body: (url: string) => object][] = [
  ['POST', '/crawl', 'urls', (url) => ({ urls: [url] })],
  ['POST', '/crawl', 'webhook_url', (url) => ({ urls: [GOOD], webhook_url: url })],
  ['POST', '/crawl/batch', 'urls', (url) => ({ urls: [url] })],
  ['POST', '/crawl/batch', 'webhook_url', (url) => ({ urls: [GOOD], webhook_url: url })],
  ['POST', '/crawl/deep', 'url', (url) => ({ url })],
  ['POST', '/crawl/deep', 'root_url', (url) => ({ root_url: url })],
  ['POST', '/crawl/deep', 'webhook_url', (url) => ({ url: GOOD, webhook_url: url })],
  ['POST', '/frontier/add', 'urls', (url) => ({ urls: [url] })],
  ['POST', '/frontier/seed', 'urls', (url) => ({ urls: [url] })],
  ['POST', '/discover', 'domain', (url) => ({ domain: url })],
  ['POST', '/scrape', 'url', (url) => ({ url })],
  ['POST', '/screenshot', 'url', (url) => ({ url })],
  ['POST', '/pdf', 'url', (url) => ({ url })],
  ['POST', '/execute-js', 'url', (url) => ({ url, scripts: ['1'] })],
  ['POST', '/sources', 'url', (url) => ({ name: 'x', url })],
  ['POST', '/sources', 'url_pattern', (url) => ({ name: 'x', url_pattern: url })],
  ['PUT', '/sources/{id}', 'url', (url) => ({ name: 'x', url })],
  ['PUT', '/sources/{id}', 'url_pattern', (url) => ({ name: 'x', url_pattern: url })],
  ['POST', '/crawl', 'webhook', (url) => ({ urls: [GOOD], webhook: { url } })],
  ['POST', '/crawl/deep', 'webhook', (url) => ({ url: GOOD, webhook: { url } })],
  ['POST', '/sources/{id}/webhooks', 'url', (url) => ({ url })],
  ['POST', '/webhooks', 'url', (url) => ({ url })],
  ['PUT', '/webhooks/{id}', 'url', (url) => ({ url })],
  ['POST', '/proxies', 'url', (url) => ({ name: 'x', url: new URL(url).origin })],
  ['PUT', '/proxies/{id}', 'url', (url) => ({ name: 'x', url: new URL(url).origin })],
  ['POST', '/proxies', 'servers', (url) => ({ name: 'x', servers: [{ url: new URL(url).origin }] })],
  ['PUT', '/proxies/{id}', 'servers', (url) => ({ name: 'x', servers: [{ url: new URL(url).origin }] })],
  ['POST', '/proxies/test', 'url', (url) => ({ url: new URL(url).origin })],
  ['POST', '/proxies/test', 'target_url', (url) => ({ url: 'http://proxy.example.com:8080', target_url: url })],
];
/** Fields that name what is stored, and reach nothing. */
const NAMES_ONLY = [
  '/documents url',
  '/documents/batch documents',
  '/discover/score urls',
  '/discover max_urls',
  '/exports url',
];

describe('addresses a caller gives', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
  });
  after(() => api[Symbol.asyncDispose]());

  for (const [method, path, field, body] of PLACES)
    it(`${method} ${path} refuses a private address in ${field}`, async () => {
      const url = path.replace('{id}', '01920000-0000-7000-8000-000000000000');
      const answer = await api.call(method, url, body(CLOUD));
      const said = [
        answer.body.code,
        ...(answer.body.details?.refused ?? []).map((each: { code: string }) => each.code),
      ];
      assert.ok(said.includes('URL_BLOCKED'), answer.text);
      assert.ok(answer.status === 403 || answer.status === 400, answer.text);
    });

  it('are all in this list', () => {
    const { paths, components } = buildOpenApi(ROUTES, '0') as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
      components: { schemas: Record<string, Schema> };
    };
    const known = new Set([...PLACES.map(([, path, field]) => `${path} ${field}`), ...NAMES_ONLY]);
    for (const [path, methods] of Object.entries(paths))
      for (const { requestBody } of Object.values(methods)) {
        const schema = requestBody?.content['application/json']?.schema;
        if (schema === undefined) continue;
        const body = sampleOf(schema, components.schemas) as object;
        for (const [field, value] of Object.entries(body)) {
          const inside = Array.isArray(value) && typeof value[0] === 'object' ? Object.keys(value[0] ?? {}) : [];
          const takesUrl = [field, ...inside].some((name) => /url/.test(name));
          const place = `${path.replace('/api/v1', '')} ${field}`;
          if (takesUrl) assert.ok(known.has(place), `${place} takes an address and is not tested`);
        }
      }
  });
});
