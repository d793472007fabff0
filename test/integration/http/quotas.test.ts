import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { loadSettings } from '../../../src/config/load.ts';
import { readQuotaUse } from '../../../src/db/access/quotas.ts';
import { newId } from '../../../src/ids.ts';
import { createApiKey } from '../../../src/operations/access/create-api-key.ts';
import { startDueSources } from '../../../src/scheduler/start-sources.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { type Answer, createTestApi, type TestApi } from '../../support/api.ts';
import { createHashEmbedder } from '../../support/index-app.ts';

interface Limits {
  max_open_crawls?: number;
  max_pages_per_day?: number;
}

describe('quotas', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]), embedder: createHashEmbedder() });
  });
  after(() => api[Symbol.asyncDispose]());

  /** Crawls of the test before are over, so that each counts from nothing. */
  beforeEach(() => api.app.database.query(`UPDATE crawls SET status = 'cancelled' WHERE status <> 'cancelled'`));

  const keyOf = (limits: Limits, userId?: string) =>
    createApiKey(api.app, { name: 'k', scopes: ['write'], rate_limit_rpm: 10_000, ...limits }, userId);
  const addUser = async (limits: Limits = {}, role = 'admin') => {
    const id = newId();
    await api.app.database.query(
      `INSERT INTO users (id, email, password_hash, role, max_open_crawls, max_pages_per_day) VALUES ($1, $2, 'none', $3, $4, $5)`,
      [id, `${id}@example.com`, role, limits.max_open_crawls ?? null, limits.max_pages_per_day ?? null],
    );
    return id;
  };
  const send = (key: string, method: string, path: string, body?: object) =>
    api.call(method, path, body, { authorization: `Bearer ${key}` });
  let page = 0;
  const start = (key: string) => send(key, 'POST', '/crawl', { urls: [`https://q.example/${page++}`] });
  const walk = (key: string, max_pages: number) =>
    send(key, 'POST', '/crawl/deep', { url: `https://q.example/${page++}`, max_pages });
  /** Of today, and of tomorrow should it begin meanwhile. */
  const stored = (owner: string, pages: number) =>
    api.app.database.query(
      `INSERT INTO page_counts (owner, day, pages)
       SELECT $1, (now() AT TIME ZONE 'UTC')::date + n, $2 FROM generate_series(0, 1) AS n`,
      [owner, pages],
    );
  /** How many were taken and how many refused; any other answer fails the test. */
  const statuses = async (answers: Promise<Answer>[]) => {
    const all = await Promise.all(answers);
    for (const { status, text } of all) assert.ok(status === 202 || status === 429, `${status} ${text}`);
    const taken = all.filter(({ status }) => status === 202).length;
    return [taken, all.length - taken];
  };

  it('of open crawls holds, however many start at once', async () => {
    const { key } = await keyOf({ max_open_crawls: 3 });
    assert.deepEqual(await statuses(Array.from({ length: 12 }, () => start(key))), [3, 9]);
    const refused = await start(key);
    assert.equal(refused.body.code, 'QUOTA_EXCEEDED');
    assert.deepEqual(refused.body.details, {
      quota: 'max_open_crawls',
      holder: 'key',
      limit: 3,
      used: 3,
      resets_at: null,
    });
    assert.equal(refused.headers['retry-after'], '60');
    const [one, two] = (await send(key, 'GET', '/crawls?owner=me')).body.items;
    await send(key, 'POST', `/crawl/${one.id}/pause`);
    assert.equal((await start(key)).status, 429, 'a paused crawl is open');
    await send(key, 'POST', `/crawl/${two.id}/cancel`);
    assert.equal((await start(key)).status, 202);
  });

  it('of pages a day sets room aside for every page an open crawl may fetch, however many start at once', async () => {
    const { id, key } = await keyOf({ max_pages_per_day: 100 });
    assert.deepEqual(await statuses(Array.from({ length: 12 }, () => walk(key, 30))), [3, 9]);
    const { body, headers } = await walk(key, 11);
    const { resets_at, ...rest } = body.details;
    assert.deepEqual(rest, {
      quota: 'max_pages_per_day',
      holder: 'key',
      limit: 100,
      used: 0,
      held: 90,
      asked: 11,
      left: 10,
    });
    assert.match(resets_at, /T00:00:00\.000Z$/);
    assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 86_400);
    assert.match(body.hint, /10 pages or fewer/);
    assert.equal((await walk(key, 10)).status, 202);
    assert.equal((await start(key)).status, 429, 'an address is a page');
    const [crawl] = (await send(key, 'GET', '/crawls?owner=me&limit=1')).body.items;
    await send(key, 'POST', `/crawl/${crawl.id}/cancel`);
    await stored(id, 4);
    assert.equal((await walk(key, 7)).status, 429);
    assert.equal((await walk(key, 6)).status, 202, 'what a crawl did not need is free again');
    const [report] = (await send(key, 'GET', '/auth/me')).body.quotas;
    assert.deepEqual(
      [
        report.holder,
        report.open_crawls,
        report.pages_per_day.limit,
        report.pages_per_day.used,
        report.pages_per_day.held,
      ],
      ['key', { limit: null, used: 4 }, 100, 4, 96],
    );
  });

  it('is never exceeded, whatever is started, stored, ended and started over', async () => {
    const { database } = api.app;
    const step = fc.record({
      act: fc.constantFrom('start', 'start', 'store', 'cancel', 'restart'),
      pages: fc.integer({ min: 1, max: 40 }),
      which: fc.nat(),
    });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 12 }), async (steps) => {
        const { id, key } = await keyOf({ max_open_crawls: 3, max_pages_per_day: 60 });
        const crawls: string[] = [];
        for (const { act, pages, which } of steps) {
          const crawl = crawls[which % crawls.length];
          if (act === 'start' || crawl === undefined) {
            const { status, body } = await walk(key, pages);
            if (status === 202) crawls.push(body.id);
            else refused++;
          } else if (act === 'store')
            // As a batch does: the counters of the crawl and of the day move together.
            await database.query(
              `WITH done AS (
                 UPDATE crawls SET pages_crawled = pages_crawled + least($2, max_pages - pages_crawled - pages_cancelled)
                 WHERE id = $1 AND status IN ('pending', 'running') RETURNING pages_crawled)
               INSERT INTO page_counts (owner, day, pages)
               SELECT $3, (now() AT TIME ZONE 'UTC')::date + n, (SELECT coalesce(sum(pages_crawled), 0) FROM crawls WHERE owner = $3 AND id <> $1) + pages_crawled
               FROM done, generate_series(0, 1) AS n
               ON CONFLICT (owner, day) DO UPDATE SET pages = excluded.pages`,
              [crawl, pages, id],
            );
          else await send(key, 'POST', `/crawl/${crawl}/${act}`);
          const [use] = await readQuotaUse(database, [id]);
          assert.ok(use!.open_crawls <= 3 && use!.pages + use!.pages_held <= 60, JSON.stringify({ act, use }));
        }
      }),
      { numRuns: 4 },
    );
    assert.ok(refused > 0);
  });

  it('of a person holds over all their keys, and outlives a key that is revoked', async () => {
    const person = await addUser({ max_open_crawls: 2, max_pages_per_day: 50 });
    const [one, two] = [await keyOf({}, person), await keyOf({ max_open_crawls: 9 }, person)];
    assert.deepEqual(await statuses([walk(one.key, 20), walk(two.key, 20)]), [2, 0]);
    await api.ok('DELETE', `/api-keys/${one.id}`, undefined, 204);
    const three = await keyOf({}, person);
    for (const { key } of [two, three]) {
      const { details } = (await start(key)).body;
      assert.deepEqual([details.quota, details.holder, details.used], ['max_open_crawls', 'user', 2]);
    }
    await api.app.database.query('UPDATE users SET max_open_crawls = 0 WHERE id = $1', [person]);
    const { details } = (await walk(three.key, 11)).body;
    assert.deepEqual([details.quota, details.holder, details.held], ['max_pages_per_day', 'user', 40]);
    assert.equal((await walk(three.key, 10)).status, 202);
    const reports = (await send(three.key, 'GET', '/auth/me')).body.quotas;
    assert.deepEqual(
      reports.map(({ holder, open_crawls }: { holder: string; open_crawls: object }) => [holder, open_crawls]),
      [
        ['key', { limit: null, used: 1 }],
        ['user', { limit: null, used: 3 }],
      ],
    );
  });

  it('is that of the settings where none is set, and none where it is 0', async () => {
    const { settings } = loadSettings({ APP_ENV: 'test', QUOTA__MAX_OPEN_CRAWLS: '1' });
    await using other = await createTestApi({ guard: createGuard([]), settings });
    const begin = async (limits: Limits) => {
      const { key } = await createApiKey(other.app, { name: 'k', scopes: ['write'], rate_limit_rpm: 100, ...limits });
      const one = (url: string) =>
        other.call('POST', '/crawl', { urls: [url] }, { authorization: `Bearer ${key}` }).then(({ status }) => status);
      return [await one('https://s.example/1'), await one('https://s.example/2')];
    };
    assert.deepEqual(await begin({}), [202, 429]);
    assert.deepEqual(await begin({ max_open_crawls: 0 }), [202, 202]);
    assert.deepEqual(await begin({ max_open_crawls: 2 }), [202, 202]);
  });

  it('holds for crawls and tasks that are started over, whoever does it', async () => {
    const { key } = await keyOf({ max_open_crawls: 1 });
    const first = (await start(key)).body.id;
    const task = (await send(key, 'GET', `/crawl/${first}/tasks`)).body.items[0].id;
    await send(key, 'POST', `/crawl/${first}/cancel`);
    const second = (await start(key)).body.id;
    for (const path of [`/crawl/${first}/restart`, `/tasks/${task}/restart`])
      for (const by of [key, api.keys.admin])
        assert.equal((await send(by, 'POST', path)).body.code, 'QUOTA_EXCEEDED', path);
    assert.equal((await send(key, 'GET', `/crawl/${first}`)).body.status, 'cancelled', 'nothing of it was done');
    await send(key, 'POST', `/crawl/${second}/pause`);
    assert.equal((await send(key, 'POST', `/crawl/${second}/resume`)).status, 200, 'it was open all the time');
    await send(key, 'POST', `/crawl/${second}/cancel`);
    assert.equal((await send(key, 'POST', `/crawl/${first}/restart`)).status, 200);
  });

  it('holds for what is added to the frontier as a crawl of its own, and not for what an open crawl has room for', async () => {
    const { key } = await keyOf({ max_open_crawls: 1, max_pages_per_day: 20 });
    const crawl = (await walk(key, 20)).body.id;
    const add = (body: object) => send(key, 'POST', '/frontier/add', { urls: ['https://q.example/added'], ...body });
    assert.equal((await add({})).body.code, 'QUOTA_EXCEEDED');
    assert.equal((await add({ crawl_id: crawl })).status, 202);
  });

  it('holds for the runs of a source, in the name of who added it', async () => {
    const person = await addUser({ max_open_crawls: 1 });
    const { key } = await keyOf({}, person);
    const body = { name: 's', url: 'https://q.example/', schedule_cron: '0 0 1 1 *' };
    const source = (await send(key, 'POST', '/sources', body)).body;
    const open = (await start(key)).body.id;
    assert.equal((await send(key, 'POST', `/sources/${source.id}/trigger`)).body.code, 'QUOTA_EXCEEDED');
    const due = () =>
      api.app.database.query(`UPDATE sources SET next_run_at = now() - interval '1 minute' WHERE id = $1`, [source.id]);
    await due();
    assert.equal(await startDueSources(api.app), 0);
    const missed = await api.ok('GET', `/sources/${source.id}`);
    assert.match(missed.last_error, /^QUOTA_EXCEEDED: /);
    assert.equal(missed.next_run_at, source.next_run_at, 'the next run tries again');
    await send(key, 'POST', `/crawl/${open}/cancel`);
    await due();
    assert.equal(await startDueSources(api.app), 1);
    const [run] = (await api.ok('GET', `/crawls?source_id=${source.id}`)).items;
    assert.deepEqual([run.created_by, run.owner.id, run.kind], [source.created_by, person, 'source']);
  });

  it('a crawl says whose it is, and is listed by it', async () => {
    const person = await addUser();
    const [own, nobody] = [await keyOf({}, person), await keyOf({})];
    const [mine, other] = [(await start(own.key)).body, (await start(nobody.key)).body];
    assert.deepEqual(mine.owner, { kind: 'user', id: person, name: `${person}@example.com` });
    assert.equal(mine.created_by, `key:${own.id}`);
    assert.deepEqual(other.owner, { kind: 'key', id: nobody.id, name: 'k' });
    const list = async (key: string, owner: string) =>
      (await send(key, 'GET', `/crawls?owner=${owner}`)).body.items.map(({ id }: { id: string }) => id);
    assert.deepEqual(await list(own.key, 'me'), [mine.id]);
    assert.deepEqual(await list(nobody.key, 'me'), [other.id]);
    for (const owner of [person, own.id]) assert.deepEqual(await list(nobody.key, owner), [mine.id]);
    await api.ok('DELETE', `/api-keys/${nobody.id}`, undefined, 204);
    assert.deepEqual((await api.ok('GET', `/crawl/${other.id}`)).owner, { kind: 'key', id: nobody.id, name: null });
  });
});
