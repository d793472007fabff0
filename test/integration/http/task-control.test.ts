import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('control of tasks over HTTP', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
  });
  after(() => api[Symbol.asyncDispose]());

  const ok: TestApi['ok'] = (...args) => api.ok(...args);
  const start = async (path: string, body: object) => {
    const crawl = await ok('POST', path, body, 202);
    const tasks = (await ok('GET', `/crawl/${crawl.id}/tasks`)).items as { id: string; url: string }[];
    return { crawl, tasks };
  };
  const set = (id: string, assignments: string) =>
    api.app.database.query(`UPDATE tasks SET ${assignments} WHERE id = $1`, [id]);
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

  it('a restart of a task that waits takes its body: priority and time', async () => {
    const { tasks } = await start('/crawl', { urls: ['https://restart.example/'] });
    const { id } = tasks[0]!;
    const later = await ok('POST', `/tasks/${id}/restart`, { priority: 2, scheduled_at: inAnHour });
    assert.deepEqual([later.status, later.priority, later.due_at], ['pending', 2, inAnHour]);
    const [waiting] = (await ok('GET', '/frontier/urls?state=delayed')).items;
    assert.equal(waiting.id, id);
    const now = await ok('POST', `/tasks/${id}/restart`, {});
    assert.ok(new Date(now.due_at).getTime() < Date.now() + 60_000);
    assert.equal(now.priority, 2);
  });

  it('a restart resets the retry count, or keeps it', async () => {
    const { crawl, tasks } = await start('/crawl', { urls: ['https://count.example/'] });
    const { id } = tasks[0]!;
    const fail = async () => {
      await set(id, `status = 'failed', failures = 3, completed_at = now()`);
      await api.app.database.query(
        `UPDATE crawls SET pages_failed = 1, status = 'failed', completed_at = now() WHERE id = $1`,
        [crawl.id],
      );
    };
    await fail();
    assert.equal((await ok('POST', `/tasks/${id}/restart`, { reset_retry_count: false })).failures, 3);
    await fail();
    assert.equal((await ok('POST', `/tasks/${id}/restart`, { reset_retry_count: true })).failures, 0);
    await fail();
    assert.equal((await ok('POST', `/tasks/${id}/restart`, {})).failures, 0);
  });

  it('a task that ended with 304 is read again from the page’s stored response', async () => {
    const { tasks } = await start('/crawl', { urls: ['https://same.example/'] });
    const { id } = tasks[0]!;
    await set(id, `status = 'completed', http_status = 304, completed_at = now()`);
    assert.equal((await api.call('POST', `/tasks/${id}/restart-parsing`, {})).body.code, 'RAW_MISSING');
    await api.app.database.query(
      `INSERT INTO pages (id, url, url_hash, domain_id, raw_ref) SELECT id, url, url_hash, domain_id, 'kept' FROM tasks WHERE id = $1`,
      [id],
    );
    assert.equal((await ok('GET', `/tasks/${id}`)).has_raw, true);
    assert.equal((await ok('POST', `/tasks/${id}/restart-parsing`, {})).status, 'pending');
    const [row] = await api.app.database.query('SELECT parse_only FROM tasks WHERE id = $1', [id]);
    assert.deepEqual(row, { parse_only: true });
  });

  for (const [path, body] of [
    ['/crawl', { urls: ['https://later.example/'] }],
    ['/crawl/batch', { urls: ['https://later.example/'] }],
    ['/crawl/deep', { url: 'https://later.example/' }],
  ] as const)
    it(`${path} with scheduled_at fetches nothing before its time`, async () => {
      const { crawl, tasks } = await start(path, { ...body, scheduled_at: inAnHour });
      assert.equal(crawl.status, 'pending');
      const task = await ok('GET', `/tasks/${tasks[0]!.id}`);
      assert.ok(Math.abs(new Date(task.due_at).getTime() - new Date(inAnHour).getTime()) < 60_000, task.due_at);
      const ready = (await ok('GET', `/frontier/urls?crawl_id=${crawl.id}`)).items;
      assert.equal(ready.length, 0);
    });

  it('each URL of a batch may have its own priority', async () => {
    const urls = [
      'https://a.example/',
      { url: 'https://b.example/', priority: 1 },
      { url: 'https://c.example/', priority: 'low' },
    ];
    const { crawl, tasks } = await start('/crawl/batch', { urls, priority: 4 });
    assert.deepEqual(crawl.urls, ['https://a.example/', 'https://b.example/', 'https://c.example/']);
    const priorities = await Promise.all(
      tasks.map(async ({ id, url }) => [url, (await ok('GET', `/tasks/${id}`)).priority]),
    );
    assert.deepEqual(Object.fromEntries(priorities), {
      'https://a.example/': 4,
      'https://b.example/': 1,
      'https://c.example/': 8,
    });
  });
});
