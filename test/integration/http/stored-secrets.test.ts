import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openHeaders } from '../../../src/db/stored-headers.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const HUSH = 'hush-hush';

describe('secrets over HTTP', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
  });
  after(() => api[Symbol.asyncDispose]());

  const ok = async (method: string, path: string, body?: unknown, key = api.keys.admin) => {
    const answer = await api.call(method, path, body, { authorization: `Bearer ${key}` });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const options = { headers: { 'X-Api-Token': HUSH, Cookie: `id=${HUSH}` }, headers_origin: 'https://example.com' };
  const names = ['cookie', 'x-api-token'];

  it('a key that may only read sees the names of headers, never their values', async () => {
    const config = await ok('POST', '/configs', { name: 'secret', options });
    const source = await ok('POST', '/sources', { name: 's', url: 'https://example.com/', options });
    const crawl = await ok('POST', '/crawl', { urls: ['https://example.com/'], config_id: config.id });
    const hooks = `/sources/${source.id}/webhooks`;
    const webhook = await ok('POST', hooks, {
      url: `https://hooks.example/services/T024BE7LD/${HUSH}-Q9vXabcdefgh?token=${HUSH}`,
      headers: { 'x-api-token': HUSH, cookie: HUSH },
    });
    for (const [path, single] of [
      [`/configs/${config.id}`, true],
      ['/configs', false],
      [`/sources/${source.id}`, true],
      ['/sources', false],
      [`/crawl/${crawl.id}`, true],
      ['/crawls', false],
      [`/webhooks/${webhook.id}`, true],
      [hooks, false],
    ] as const) {
      const body = await ok('GET', path, undefined, api.keys.read);
      const shown = single ? body : body.items[0];
      assert.deepEqual(shown.header_names, names, path);
      assert.ok(!JSON.stringify(body).includes(HUSH) && !JSON.stringify(body).includes('enc:v1'), path);
    }
    for (const { fields } of api.logged) assert.ok(!JSON.stringify(fields).includes(HUSH));
  });

  for (const [what, headers] of [
    ['a line break in a value', { 'x-a': 'one\r\nx-b: two' }],
    ['a line break in a cookie', { cookie: 'a=b\nset: c' }],
    ['a control character', { 'x-a': 'one\u0007' }],
    ['letters HTTP does not know', { 'x-a': 'ключ' }],
    ['whitespace around a value', { 'x-a': ' one' }],
    ['no name', { '': 'one' }],
    ['a name with a space', { 'x a': 'one' }],
    ['a name with a line break', { 'x\r\na': 'one' }],
    ['the host', { Host: 'evil.example' }],
    ['the length', { 'content-length': '5' }],
    ['a type without a body', { 'Content-Type': 'text/plain' }],
    ['fields of the connection', { Connection: 'close' }],
    ['more of them', { 'Transfer-Encoding': 'chunked' }],
    ['proxy credentials', { 'Proxy-Authorization': 'Basic eA==' }],
    ['conditions', { 'If-None-Match': '"x"' }],
    ['ranges', { range: 'bytes=0-1' }],
    ['what servers send', { 'set-cookie': 'a=b' }],
    ['one name twice', { 'x-a': 'one', 'X-A': 'two' }],
    ['too many', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`x-${n}`, 'one']))],
    ['too much', { 'x-a': 'a'.repeat(8_192), 'x-b': 'b'.repeat(8_192), 'x-c': 'c' }],
  ] as const)
    it(`headers with ${what} are refused at the edge`, async () => {
      for (const [method, path, body] of [
        ['POST', '/crawl', { urls: ['https://example.com/'], options: { headers } }],
        ['POST', '/crawl/deep', { url: 'https://example.com/', options: { headers } }],
        ['POST', '/configs', { name: what, options: { headers, headers_origin: 'https://example.com' } }],
        ['POST', '/sources', { name: what, url: 'https://example.com/', options: { headers } }],
      ] as const) {
        const answer = await api.call(method, path, body);
        assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], path);
        assert.ok(
          Object.keys(answer.body.details).some((field) => field.includes('headers')),
          answer.text,
        );
      }
    });

  it('a webhook keeps its headers while its origin stays, and its address when that comes back masked', async () => {
    const source = await ok('POST', '/sources', { name: 'hooked', url: 'https://example.com/' });
    const url = `https://hooks.example/in?token=${HUSH}`;
    const made = await ok('POST', `/sources/${source.id}/webhooks`, { url, headers: { 'x-key': HUSH } });
    const put = async (body: object) => {
      const shown = await ok('PUT', `/webhooks/${made.id}`, body);
      const [row] = await api.app.database.query<{ url: string; headers: never }>(
        'SELECT url, headers FROM webhooks WHERE id = $1',
        [made.id],
      );
      return { names: shown.header_names, url: row!.url, sent: openHeaders(api.app.secrets, row!.headers, row!.url) };
    };
    assert.equal(made.url, 'https://hooks.example/in?token=***');
    assert.deepEqual(await put({ url: made.url }), { names: ['x-key'], url, sent: { 'x-key': HUSH } });
    const near = 'https://hooks.example/other';
    assert.deepEqual(await put({ url: near }), { names: ['x-key'], url: near, sent: { 'x-key': HUSH } });
    const far = 'https://listener.example/in';
    assert.deepEqual(await put({ url: far }), { names: [], url: far, sent: {} });
    assert.deepEqual((await put({ url: near })).sent, {}, 'and they are gone, not only hidden');
  });

  it('a proxy keeps its password only while address and user name stay', async () => {
    const fields = { name: 'p', url: 'http://proxy.example:8080', username: 'me' };
    for (const [what, change, kept] of [
      ['nothing', {}, true],
      ['name', { name: 'renamed' }, true],
      ['host', { url: 'http://listener.example:8080' }, false],
      ['port', { url: 'http://proxy.example:9090' }, false],
      ['scheme', { url: 'https://proxy.example:8080' }, false],
      ['user', { username: 'somebody' }, false],
      ['no user', { username: undefined }, false],
      ['null', { password: null }, false],
      ['a new one', { url: 'http://listener.example:8080', password: 'new' }, true],
    ] as const) {
      const proxy = await ok('POST', '/proxies', { ...fields, password: HUSH });
      assert.equal(proxy.has_password, true);
      const changed = await ok('PUT', `/proxies/${proxy.id}`, { ...fields, ...change });
      assert.equal(changed.has_password, kept, what);
      const [row] = await api.app.database.query<{ password: string | null }>(
        'SELECT password FROM proxies WHERE id = $1',
        [proxy.id],
      );
      assert.notEqual(row!.password, HUSH);
      await ok('DELETE', `/proxies/${proxy.id}`);
    }
  });
});
