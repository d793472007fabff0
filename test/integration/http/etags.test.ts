import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { hasEtag } from '../../../src/surfaces/http/etag.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('ETags', () => {
  let api: TestApi;
  let crawl: string;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
    crawl = (await api.ok('POST', '/crawl', { urls: ['https://example.com/'] }, 202)).id;
  });
  after(() => api[Symbol.asyncDispose]());

  const get = (path: string, etag?: string) =>
    api.call('GET', path, undefined, etag === undefined ? {} : { 'if-none-match': etag });

  it('what was not changed is answered with 304, without a body, with the headers of every answer', async () => {
    const task = (await api.ok('GET', `/crawl/${crawl}/tasks`)).items[0].id;
    const job = (await api.ok('POST', '/discover', { domain: 'example.com' }, 202)).id;
    const document = (await api.ok('POST', '/documents', { content: 'Words to read.' }, 201)).id;
    const paths = ['/crawls', `/crawl/${crawl}`, `/crawl/${crawl}/tasks`, `/tasks/${task}`, `/jobs/${job}`];
    for (const path of [...paths, `/discover/${job}`, `/documents/${document}`, '/domains', '/stats', '/products']) {
      const first = await get(path);
      const etag = String(first.headers.etag);
      assert.match(etag, /^W\/"[\w-]{22}"$/, path);
      assert.equal(first.headers['cache-control'], 'private, no-cache');
      for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const again = await get(path, known);
        assert.deepEqual([again.status, again.text], [304, ''], `${path} ${known}`);
        assert.equal(again.headers.etag, etag);
        assert.match(String(again.headers.ratelimit), /^"default";r=\d+/);
        assert.ok(again.headers['x-request-id']);
        assert.equal(again.headers['cache-control'], 'private, no-cache');
      }
      assert.equal((await get(path, '"other"')).status, 200);
    }
  });

  it('every change of a crawl or a job is seen, whoever made it', async () => {
    const job = (await api.ok('POST', '/discover', { domain: 'example.org' }, 202)).id;
    const changes = [
      [`/crawl/${crawl}`, () => api.ok('POST', `/crawl/${crawl}/pause`)],
      [`/crawl/${crawl}`, () => api.app.database.query('UPDATE crawls SET current_depth = 3 WHERE id = $1', [crawl])],
      ['/crawls', () => api.ok('POST', `/crawl/${crawl}/resume`)],
      [`/jobs/${job}`, () => api.app.database.query(`UPDATE jobs SET progress = '{"found": 1}' WHERE id = $1`, [job])],
    ] as const;
    for (const [path, change] of changes) {
      const etag = String((await get(path)).headers.etag);
      assert.equal((await get(path, etag)).status, 304);
      await change();
      const after = await get(path, etag);
      assert.equal(after.status, 200, path);
      assert.notEqual(after.headers.etag, etag);
    }
  });

  it('answers that may hold secrets, writes and errors are not kept', async () => {
    for (const path of ['/api-keys', '/webhooks/secret', '/auth/me', '/crawl/01920000-0000-7000-8000-000000000000']) {
      const { headers } = await get(path, '*');
      assert.deepEqual([headers.etag, headers['cache-control']], [undefined, 'no-store'], path);
    }
    const written = await api.call('POST', `/crawl/${crawl}/pause`);
    assert.deepEqual([written.headers.etag, written.headers['cache-control']], [undefined, 'no-store']);
    assert.ok(ROUTES.filter(hasEtag).every(({ access }) => access === 'read'));
  });

  it('the API document has one too', async () => {
    const first = await get('/openapi.json');
    assert.equal((await get('/openapi.json', String(first.headers.etag))).status, 304);
  });

  it('every answer has a request id: pages, addresses that are not there, and requests that are no HTTP', async () => {
    for (const url of ['/', '/docs', '/nothing', '/api/v1/nothing', '/api/v1/domains/%zz', '/api/v1/openapi.json']) {
      const { headers } = await api.send({ method: 'GET', url });
      assert.ok(String(headers['x-request-id']).length >= 8, url);
    }
    await api.server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.server.server.address() as AddressInfo;
    for (const [bytes, status, code] of [
      ['no HTTP at all\r\n\r\n', 400, 'REQUEST_INVALID'],
      [`GET / HTTP/1.1\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'REQUEST_HEAD_TOO_LARGE'],
    ] as const) {
      const socket = connect(port, '127.0.0.1').end(bytes);
      const [head = '', body = ''] = (await socket.setEncoding('utf8').toArray()).join('').split('\r\n\r\n');
      const answer = JSON.parse(body);
      assert.deepEqual([head.split(' ')[1], answer.code], [String(status), code]);
      assert.ok(head.includes(`x-request-id: ${answer.request_id}`));
    }
  });
});
