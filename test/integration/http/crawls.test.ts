import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const NOBODY = '01920000-0000-7000-8000-000000000000';

describe('crawls over HTTP', () => {
  let api: TestApi;
  let origin: string;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
    ({ origin } = await listen(api.server, { host: '127.0.0.1', port: 0 }));
  });
  after(() => api[Symbol.asyncDispose]());

  const ok = async (method: string, path: string, body?: unknown, status = 200) => {
    const answer = await api.call(method, path, body);
    assert.equal(answer.status, status, answer.text);
    return answer.body;
  };
  for (const [name, url, code] of [
    ['no address', 'not an address', 'URL_INVALID'],
    ['another scheme', 'file:///etc/passwd', 'URL_INVALID'],
    ['a private address', 'http://127.0.0.1/', 'URL_BLOCKED'],
    ['a metadata address', 'http://169.254.169.254/latest', 'URL_BLOCKED'],
  ])
    it(`refuses ${name}: ${code}, with a hint`, async () => {
      for (const [path, body] of [
        ['/crawl', { urls: [url] }],
        ['/crawl/deep', { url }],
        ['/crawl/batch', { urls: [url] }],
      ] as const) {
        const answer = await api.call('POST', path, body);
        assert.equal(answer.body.code, code, answer.text);
        assert.equal(typeof answer.body.hint, 'string');
      }
    });

  it('starts, shows, lists and controls a crawl', async () => {
    const crawl = await ok('POST', '/crawl/deep', { url: 'https://example.com', max_depth: 2, max_pages: 50 }, 202);
    assert.deepEqual([crawl.kind, crawl.max_depth, crawl.pages_discovered], ['deep', 2, 1]);
    assert.equal((await ok('GET', `/crawl/${crawl.id}`)).id, crawl.id);
    assert.ok((await ok('GET', '/crawls')).items.some((item: { id: string }) => item.id === crawl.id));
    const [task] = (await ok('GET', `/crawl/${crawl.id}/tasks`)).items;
    assert.equal(task.url, 'https://example.com/');
    assert.equal((await ok('GET', `/tasks/${task.id}`)).status, 'pending');
    assert.deepEqual((await ok('GET', `/tasks/${task.id}/errors`)).items, []);
    assert.equal((await ok('PATCH', `/tasks/${task.id}/priority`, { priority: 'high' })).priority, 2);
    assert.equal((await ok('POST', `/tasks/${task.id}/pause`)).status, 'paused');
    assert.equal((await ok('POST', `/tasks/${task.id}/resume`)).status, 'pending');
    assert.equal((await ok('POST', `/crawl/${crawl.id}/pause`)).status, 'paused');
    assert.equal((await ok('POST', `/crawl/${crawl.id}/resume`)).status, 'running');
    assert.equal((await ok('POST', `/crawl/${crawl.id}/cancel`)).status, 'cancelled');
    assert.equal((await api.call('POST', `/crawl/${crawl.id}/pause`)).body.code, 'STATE_CONFLICT');
    assert.equal((await ok('GET', `/tasks/stats?crawl_id=${crawl.id}`)).by_status.cancelled, 1);
    assert.equal((await ok('POST', '/tasks/restart-failed', {})).restarted, 0);
    assert.deepEqual((await ok('GET', `/crawl/${crawl.id}/documents`)).items, []);
    for (const path of [`/crawl/${NOBODY}`, `/crawl/${NOBODY}/tasks`, `/crawl/${NOBODY}/stream`, `/tasks/${NOBODY}`])
      await ok('GET', path, undefined, 404);
  });

  it('a crawl belongs to the key that started it, and is listed by its owner', async () => {
    const mine = await api.call(
      'POST',
      '/crawl',
      { urls: ['https://example.com/mine'] },
      { authorization: `Bearer ${api.keys.write}` },
    );
    const other = await ok('POST', '/crawl', { urls: ['https://example.com/other'] }, 202);
    const { owner, created_by } = mine.body;
    assert.equal(created_by, `key:${owner.id}`);
    assert.notEqual(other.owner.id, owner.id);
    const listed = (await ok('GET', `/crawls?owner=${owner.id}`)).items;
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      [mine.body.id],
    );
    assert.deepEqual((await ok('GET', `/crawls?owner=${NOBODY}`)).items, []);
    assert.equal((await api.call('GET', '/crawls?owner=nobody')).status, 400);
  });

  it('a task says when it last changed', async () => {
    const crawl = await ok('POST', '/crawl', { urls: ['https://example.com/touched'] }, 202);
    const look = async () => (await ok('GET', `/crawl/${crawl.id}/tasks`)).items[0];
    const first = await look();
    assert.equal(first.updated_at, first.created_at);
    await ok('POST', `/tasks/${first.id}/pause`);
    assert.ok((await look()).updated_at > first.updated_at);
  });

  it('sending a crawl twice under one key starts one', async () => {
    const start = () =>
      api.call('POST', '/crawl', { urls: ['https://example.com/once'] }, { 'idempotency-key': 'once' });
    assert.equal((await start()).body.id, (await start()).body.id);
  });

  it('the frontier: add, seed, list, count, clear', async () => {
    const added = await ok(
      'POST',
      '/frontier/add',
      { urls: ['https://example.net/a', 'http://10.0.0.1/', 'nonsense'] },
      202,
    );
    assert.deepEqual(
      [added.added, added.refused.map(({ code }: { code: string }) => code)],
      [1, ['URL_BLOCKED', 'URL_INVALID']],
    );
    const deep = await ok('POST', '/crawl/deep', { url: 'https://example.net/deep' }, 202);
    const more = ['https://example.net/b', 'https://example.net/deep'];
    const seeded = await ok('POST', '/frontier/seed', { urls: more, crawl_id: deep.id }, 202);
    assert.deepEqual([seeded.added, seeded.crawl.pages_discovered], [1, 2]);
    const waiting = (await ok('GET', `/frontier/urls?crawl_id=${deep.id}`)).items;
    assert.deepEqual(waiting.map((task: { priority: number }) => task.priority).sort(), [1, 5]);
    const turn: string[] = [];
    for (let cursor = ''; cursor !== 'end'; ) {
      const query = `domain=example.net&limit=1${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const part = await ok('GET', `/frontier/urls?${query}`);
      turn.push(...part.items.map(({ url }: { url: string }) => new URL(url).pathname));
      cursor = part.next_cursor ?? 'end';
    }
    assert.deepEqual(turn, ['/b', '/a', '/deep'], 'as they would be claimed');
    await api.app.database.query(
      `UPDATE tasks SET ready = false, due_at = now() + interval '1 hour' WHERE url = 'https://example.net/b'`,
    );
    const later = (await ok('GET', '/frontier/urls?state=delayed')).items;
    assert.deepEqual(
      later.map(({ url }: { url: string }) => url),
      ['https://example.net/b'],
    );
    const stats = await ok('GET', '/frontier/stats');
    assert.ok(
      stats.waiting >= 2 &&
        stats.delayed === 1 &&
        stats.busiest.some(({ domain }: { domain: string }) => domain === 'example.net'),
    );
    assert.equal((await ok('DELETE', '/frontier?domain=example.net')).cancelled, 3);
    assert.equal(
      (await api.call('POST', '/frontier/add', { urls: more, crawl_id: deep.id })).body.code,
      'STATE_CONFLICT',
    );
    assert.equal((await api.call('POST', '/frontier/add', { urls: ['x'] })).body.code, 'URL_INVALID');
    await ok('POST', '/frontier/add', { urls: more, crawl_id: NOBODY }, 404);
    assert.equal(typeof (await ok('POST', '/frontier/recover')).recovered, 'number');
  });

  it('all tasks of a domain: pause, resume, cancel, restart, and their order', async () => {
    const urls = ['https://example.org/a', 'https://example.org/b'];
    const crawl = await ok('POST', '/crawl', { urls }, 202);
    const tasks = '/domains/example.org/tasks';
    assert.equal((await ok('PATCH', `/crawl/${crawl.id}/priority`, { priority: 'low' })).priority, 8);
    assert.equal((await ok('PATCH', `${tasks}/priority`, { priority: 3 })).moved, 2);
    const listed = (await ok('GET', `/crawl/${crawl.id}/tasks`)).items;
    assert.deepEqual(
      listed.map((task: { priority: number }) => task.priority),
      [3, 3],
    );
    assert.equal((await ok('POST', `${tasks}/pause`)).moved, 2);
    assert.equal((await ok('POST', `${tasks}/pause`)).moved, 0);
    assert.equal((await ok('POST', `${tasks}/resume`)).moved, 2);
    assert.equal((await ok('POST', `${tasks}/cancel`)).moved, 2);
    const over = await ok('GET', `/crawl/${crawl.id}`);
    assert.deepEqual([over.status, over.pages_cancelled, over.progress], ['cancelled', 2, 100]);
    assert.equal((await ok('POST', `${tasks}/restart`, {})).moved, 0);
    assert.equal((await ok('POST', `${tasks}/restart`, { statuses: ['cancelled'] })).moved, 2);
    const again = await ok('GET', `/crawl/${crawl.id}`);
    assert.deepEqual([again.status, again.pages_cancelled, again.progress], ['running', 0, 0]);
    await ok('POST', '/domains/unheard.example/tasks/pause', undefined, 404);
  });

  it('triggers a source', async () => {
    const source = await ok(
      'POST',
      '/sources',
      { name: 's', url: 'https://example.com/s', options: { max_pages: 7 } },
      201,
    );
    const crawl = await ok('POST', `/sources/${source.id}/trigger`, undefined, 202);
    assert.deepEqual([crawl.kind, crawl.source_id, crawl.max_pages], ['source', source.id, 7]);
  });

  it('a busy port is an error with its code, or means the next one', async () => {
    const { port } = new URL(origin);
    await using other = await createTestApi();
    const options = { host: '127.0.0.1', port: Number(port) };
    await assert.rejects(listen(other.server, options), { code: 'PORT_BUSY' });
    const taken = await listen(other.server, { ...options, nextFree: true });
    assert.ok(taken.port > options.port);
  });
});
