import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { loadSettings } from '../../../src/config/load.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const ID = '01920000-0000-7000-8000-000000000000';

describe('where a request comes from', () => {
  let api: TestApi;
  let origin: string;
  before(async () => {
    const { settings } = loadSettings({ APP_ENV: 'test', HTTP__HOSTS: 'Crawler.example.com' });
    api = await createTestApi({ settings });
    ({ origin } = await listen(api.server, { host: '127.0.0.1', port: 0 }));
  });
  after(() => api[Symbol.asyncDispose]());

  const key = () => ({ authorization: `Bearer ${api.keys.admin}` });

  it('a Host that is no name of this server is refused, for every route and page', async () => {
    for (const url of ['/', '/login', '/docs', '/api/v1/health', '/api/v1/auth/me', '/api/v1/openapi.json', '/nothing'])
      for (const host of ['evil.example', 'evil.example:53001', 'localhost.evil.example', '127.0.0.1.evil.example']) {
        const answer = await api.send({ method: 'GET', url, headers: { ...key(), host } });
        assert.deepEqual([answer.status, answer.body.code], [421, 'HOST_NOT_ALLOWED'], `${host} ${url}`);
        assert.match(answer.body.hint, /HTTP__HOSTS/);
      }
  });

  it('addresses, localhost and the names of the settings are its names', async () => {
    const names = [
      '127.0.0.1:53001',
      '[::1]:53001',
      'localhost',
      'crawl4r.localhost:1',
      'crawler.EXAMPLE.com',
      '10.1.2.3',
    ];
    for (const host of names)
      assert.equal((await api.send({ method: 'GET', url: '/api/v1/health', headers: { host } })).status, 200, host);
  });

  it('a write from a page of another origin is refused on every route, other ports and log-out included', async () => {
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:3000' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    const writes = ROUTES.filter(({ method }) => method !== 'GET');
    assert.ok(writes.some(({ path }) => path === '/auth/logout'));
    for (const { method, path } of writes)
      for (const headers of foreign) {
        const url = `/api/v1${path.replace(/:\w+/g, ID)}`;
        const answer = await api.send({ method, url, headers: { ...key(), ...headers, host: 'localhost:53001' } });
        assert.equal(answer.body?.code, 'FORBIDDEN', `${method} ${path} ${JSON.stringify(headers)}`);
        assert.match(answer.body.error, /another origin/);
      }
  });

  it('a write from its own page, or from a program, is not', async () => {
    const host = 'localhost:53001';
    for (const headers of [
      {},
      { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const payload = { name: `tag ${JSON.stringify(headers).length}` };
      const answer = await api.send({
        method: 'POST',
        url: '/api/v1/tags',
        headers: { ...key(), ...headers, host },
        payload,
      });
      assert.equal(answer.status, 201, answer.text);
    }
  });

  it('a WebSocket meets the same checks', async () => {
    const open = async (headers: Record<string, string>) => {
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/ws/crawl/${ID}`, {
        headers: { ...key(), ...headers },
      });
      socket.on('error', () => {});
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
      return response.statusCode;
    };
    assert.equal(await open({}), 404, 'there is no such crawl');
    assert.equal(await open({ host: 'evil.example' }), 421);
    assert.equal(await open({ origin: 'http://127.0.0.1:3000' }), 403);
  });

  it('a client behind a proxy is known by its own address only where the proxy is trusted', async () => {
    const settings = (trust: string) => loadSettings({ APP_ENV: 'test', HTTP__TRUST_PROXY: trust }).settings;
    const limits = async (api: TestApi) => {
      const ask = (client: string) =>
        api.send({
          method: 'GET',
          url: '/api/v1/auth/me',
          remoteAddress: '10.0.0.9',
          headers: { 'x-forwarded-for': client },
        });
      const statuses = new Set<number>();
      for (let client = 1; client <= 15; client++) statuses.add((await ask(`198.51.100.${client}`)).status);
      return [...statuses].sort();
    };
    await using trusting = await createTestApi({ settings: settings('10.0.0.0/8, ::1') }, { now: () => 0 });
    assert.deepEqual(await limits(trusting), [200]);
    await using wary = await createTestApi({ settings: settings('192.168.0.1') }, { now: () => 0 });
    assert.deepEqual(await limits(wary), [200, 429]);
  });
});
