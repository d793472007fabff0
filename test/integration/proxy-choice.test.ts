import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type ClaimLimits, claimTasks } from '../../src/db/frontier/frontier.ts';
import { pickProxy } from '../../src/db/proxies/proxy-health.ts';
import { createGuard } from '../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../support/api.ts';
import { seedCrawl } from '../support/crawls.ts';

const limits = (over: Partial<ClaimLimits> = {}): ClaimLimits => ({
  ...{
    workerId: 'w',
    max: 100,
    leaseMs: 60_000,
    defaultRps: 0,
    defaultConcurrency: 1_000,
    windowMs: 2_000,
    aheadMs: 100,
  },
  ...over,
});

let api: TestApi;
before(async () => {
  api = await createTestApi({ guard: createGuard([]) });
});
after(() => api[Symbol.asyncDispose]());
afterEach(async () => {
  for (const table of ['crawls', 'domains', 'proxies']) await api.app.database.query(`DELETE FROM ${table}`);
});

const ok = async (method: string, path: string, body?: unknown) => {
  const answer = await api.call(method, path, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const { query } = { query: (text: string, values?: unknown[]) => api.app.database.query<never>(text, values) };

/** A domain with a pool and tasks that wait; answers the ids of its proxies. */
async function makePool(domain: string, proxies: readonly object[], tasks = 200): Promise<string[]> {
  await seedCrawl(
    api.app.database,
    Array.from({ length: tasks }, (_, n) => `http://${domain}/${n}`),
  );
  const ids: string[] = [];
  for (const [at, fields] of proxies.entries())
    ids.push(
      (await ok('POST', '/proxies', { name: `${domain} ${at}`, url: `http://p${at}.example:8080`, ...fields })).id,
    );
  await ok('POST', `/domains/${domain}/proxies`, { proxy_ids: ids });
  return ids;
}

/** Which proxies the next turns go through, by their place in `ids`. */
async function turns(domain: string, ids: readonly string[], count: number): Promise<number[]> {
  const picked: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    await query(`UPDATE domains SET next_at = '-infinity', waiting = true WHERE domain = $1`, [domain]);
    const [task] = await claimTasks(api.app.database, limits({ max: 1 }));
    picked.push(task === undefined ? -1 : ids.indexOf(task.proxy_id!));
  }
  return picked;
}

describe('the order of proxies', () => {
  it('a pairing says when it was last changed', async () => {
    const [id] = await makePool('changed.test', [{}]);
    const look = async () => (await ok('GET', '/domains/changed.test/proxies')).items[0];
    const first = await look();
    assert.equal(first.updated_at, first.created_at);
    await ok('PATCH', `/domains/changed.test/proxies/${id}`, { priority: 3 });
    const changed = await look();
    assert.equal(changed.created_at, first.created_at);
    assert.ok(changed.updated_at > first.updated_at, JSON.stringify([first, changed]));
    await query('DELETE FROM crawls');
  });

  it('round_robin keeps to its order, lru goes by the time of rest', async () => {
    const strategies = ['round_robin', 'lru'] as const;
    const seen: Record<string, number[]> = {};
    for (const strategy of strategies) {
      const domain = `${strategy.replace('_', '-')}.test`;
      const ids = await makePool(domain, [{}, {}, {}, {}]);
      await ok('PUT', `/domains/${domain}`, { proxy_strategy: strategy });
      assert.deepEqual(await turns(domain, ids, 5), [0, 1, 2, 3, 0]);
      // The third is off while the others go round, so it has rested longest when it comes back.
      await ok('PATCH', `/domains/${domain}/proxies/${ids[2]}`, { is_active: false });
      assert.deepEqual(await turns(domain, ids, 3), [1, 3, 0]);
      await ok('PATCH', `/domains/${domain}/proxies/${ids[2]}`, { is_active: true });
      seen[strategy] = await turns(domain, ids, 4);
      await query('DELETE FROM crawls');
    }
    assert.deepEqual(seen, { round_robin: [1, 2, 3, 0], lru: [2, 1, 3, 0] });
  });

  it('goes by country where the domain asks for one, and stalls where there is none', async () => {
    const ids = await makePool('shop.test', [{ country_code: 'us' }, { country_code: 'de' }, { country_code: 'DE' }]);
    await ok('PUT', '/domains/shop.test', { proxy_country: 'de' });
    assert.deepEqual(await turns('shop.test', ids, 4), [1, 2, 1, 2]);
    assert.equal((await pickProxy(api.app.database, 'shop.test'))?.proxy?.url.includes('p0'), false);
    assert.deepEqual((await ok('GET', '/proxies?country_code=de')).items.length, 2);
    await ok('PUT', '/domains/shop.test', { proxy_country: 'FR' });
    assert.equal((await ok('GET', '/domains/shop.test')).stalled_by, 'PROXY_UNAVAILABLE');
    assert.deepEqual(await turns('shop.test', ids, 1), [-1]);
    await ok('PUT', '/domains/shop.test', { proxy_country: null });
    assert.deepEqual([...new Set(await turns('shop.test', ids, 3))].sort(), [0, 1, 2]);
  });
});

describe('the hourly limit of a proxy', () => {
  it('holds over all domains, workers and requests beside tasks, and ends with its hour', async () => {
    const [id] = await makePool('one.test', [{ max_requests_per_hour: 7 }]);
    await seedCrawl(
      api.app.database,
      Array.from({ length: 50 }, (_, n) => `http://two.test/${n}`),
    );
    await ok('POST', '/domains/two.test/proxies', { proxy_ids: [id] });
    await pickProxy(api.app.database, 'one.test');
    assert.equal((await ok('GET', `/proxies/${id}`)).hour_left, 6);
    const open = () => query(`UPDATE domains SET next_at = '-infinity', waiting = true`);
    let claimed = 0;
    for (let round = 0; round < 6; round++) {
      await open();
      const each = await Promise.all(
        ['a', 'b', 'c'].map((workerId) => claimTasks(api.app.database, limits({ workerId, max: 4 }))),
      );
      claimed += each.flat().length;
    }
    assert.equal(claimed, 6);
    assert.equal((await ok('GET', `/proxies/${id}`)).hour_left, 0);
    assert.equal((await ok('GET', '/domains/one.test')).stalled_by, 'PROXY_UNAVAILABLE');
    assert.equal((await pickProxy(api.app.database, 'one.test'))?.proxy, null);
    const [row] = await query(
      `SELECT next_at > now() + interval '50 minutes' AS later FROM domains WHERE domain = 'one.test'`,
    );
    assert.deepEqual(row, { later: true }, 'nobody asks again before the hour is over');
    await query(`UPDATE proxies SET hour_started_at = now() - interval '1 hour'`);
    await open();
    assert.equal((await claimTasks(api.app.database, limits({ max: 5 }))).length, 5);
    assert.equal((await ok('GET', `/proxies/${id}`)).hour_left, 2);
  });

  it('leaves the work to proxies that have some left', async () => {
    const ids = await makePool('mixed.test', [{ max_requests_per_hour: 2 }, {}]);
    await ok('PUT', '/domains/mixed.test', { proxy_strategy: 'lru' });
    assert.deepEqual(await turns('mixed.test', ids, 7), [0, 1, 0, 1, 1, 1, 1]);
  });
});

describe('who turned a proxy off', () => {
  it('a proxy that is enabled again brings back what health turned off, not what a person did', async () => {
    const [id] = await makePool('person.test', [{}]);
    await seedCrawl(api.app.database, ['http://health.test/']);
    await ok('POST', '/domains/health.test/proxies', { proxy_ids: [id] });
    await ok('PATCH', `/domains/person.test/proxies/${id}`, { is_active: false });
    await query(
      `UPDATE domain_proxies SET is_active = false, off_by_health = true, failure_count = 5
       WHERE domain_id = (SELECT id FROM domains WHERE domain = 'health.test')`,
    );
    const look = async () =>
      Promise.all(
        ['person.test', 'health.test'].map(async (domain) => {
          const [pair] = (await ok('GET', `/domains/${domain}/proxies`)).items;
          return [pair.is_active, pair.off_by];
        }),
      );
    assert.deepEqual(await look(), [
      [false, 'person'],
      [false, 'health'],
    ]);
    const off = await ok('POST', `/proxies/${id}/disable`);
    assert.deepEqual([off.is_active, off.off_by], [false, 'person']);
    const on = await ok('POST', `/proxies/${id}/enable`);
    assert.deepEqual([on.is_active, on.off_by], [true, null]);
    assert.deepEqual(await look(), [
      [false, 'person'],
      [true, null],
    ]);
  });
});

describe('a pool that loses its last proxy', () => {
  it('is used no more: the domain is fetched directly, and an event says so', async () => {
    const [last] = await makePool('alone.test', [{}], 1);
    const [one, two] = await makePool('pair.test', [{}, {}], 1);
    const uses = async (domain: string) => {
      const { uses_proxies, stalled_by } = await ok('GET', `/domains/${domain}`);
      return [uses_proxies, stalled_by];
    };
    for (const id of [last, one]) await ok('DELETE', `/proxies/${id}`);
    assert.deepEqual(
      [await uses('alone.test'), await uses('pair.test')],
      [
        [false, null],
        [true, null],
      ],
    );
    await ok('DELETE', `/domains/pair.test/proxies/${two}`);
    assert.deepEqual(await uses('pair.test'), [false, null]);
    const events = await api.app.database.query<{ subject: string; actor: string }>(
      `SELECT subject, actor FROM events WHERE kind = 'domain.proxies_gone' ORDER BY id`,
    );
    assert.deepEqual(
      events.map(({ subject }) => subject),
      ['alone.test', 'pair.test'],
    );
    const told = api.logged.filter(({ event }) => event === 'domains_without_proxies');
    assert.deepEqual(
      told.map(({ fields }) => fields.domains),
      [['alone.test'], ['pair.test']],
    );
    await query(`UPDATE domains SET next_at = '-infinity', waiting = true`);
    const claimed = await claimTasks(api.app.database, limits());
    assert.deepEqual(claimed.map(({ domain, proxy }) => [domain, proxy]).sort(), [
      ['alone.test', null],
      ['pair.test', null],
    ]);
  });

  it('one that is only off keeps the domain waiting, and visibly', async () => {
    const [id] = await makePool('off.test', [{}]);
    await ok('POST', `/proxies/${id}/disable`);
    assert.equal((await ok('GET', '/domains/off.test')).stalled_by, 'PROXY_UNAVAILABLE');
    assert.deepEqual(await turns('off.test', [id!], 1), [-1]);
  });
});

describe('what is known of a proxy', () => {
  it('city, cost and limit are stored, shown and taken away', async () => {
    const fields = { name: 'berlin', url: 'http://p.example:8080' };
    const more = { country_code: 'de', city: 'Berlin', monthly_cost: 12.5, max_requests_per_hour: 1_000 };
    const made = await ok('POST', '/proxies', { ...fields, ...more });
    assert.deepEqual(
      [made.country_code, made.city, made.monthly_cost, made.max_requests_per_hour, made.hour_left],
      ['DE', 'Berlin', 12.5, 1_000, 1_000],
    );
    const changed = await ok('PUT', `/proxies/${made.id}`, fields);
    assert.deepEqual([changed.city, changed.monthly_cost, changed.max_requests_per_hour], [null, null, null]);
    for (const wrong of [{ country_code: 'D1' }, { monthly_cost: -1 }, { max_requests_per_hour: 0 }, { city: '' }])
      assert.equal((await api.call('POST', '/proxies', { ...fields, ...wrong })).status, 400, JSON.stringify(wrong));
  });
});
