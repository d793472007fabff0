import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getCrawlRow } from '../../src/db/crawls/crawls.ts';
import { crawlDelta, settleCrawls } from '../../src/db/crawls/settle-crawls.ts';
import { recordFeedback } from '../../src/db/domains/domains.ts';
import { claimTasks, releaseTasks, renewLeases, sweepWaiting } from '../../src/db/frontier/frontier.ts';
import { promoteDue } from '../../src/db/frontier/promote.ts';
import { endTurn } from '../../src/db/frontier/turns.ts';
import { expireLeases, finishTasks, markAlone, reapTasks } from '../../src/db/tasks/finish-tasks.ts';
import type { Database } from '../../src/ports/database.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createTestDatabase } from '../support/database.ts';
import { done, limits, turnOf, urls } from '../support/frontier.ts';

let database: Database;
before(async () => {
  database = await createTestDatabase();
});
after(() => database[Symbol.asyncDispose]());

const drain = async () => {
  await database.query('DELETE FROM crawls');
  await database.query('DELETE FROM domains');
};

test('a claim takes the best tasks of a due domain, each once', async () => {
  await seedCrawl(database, urls('a.test', 5));
  const first = await claimTasks(database, limits({ max: 3 }));
  const second = await claimTasks(database, limits({ workerId: 'w2' }));
  assert.deepEqual([...first, ...second].map((task) => task.url).sort(), urls('a.test', 5));
  assert.equal(first.length, 3);
  assert.ok(first.every((task) => task.attempt === 1 && task.delay_ms === 0));
  assert.equal((await claimTasks(database, limits())).length, 0);
  await drain();
});

test('two workers that claim at once never share a task', async () => {
  await seedCrawl(database, urls('a.test', 200));
  const claims = await Promise.all(
    Array.from({ length: 10 }, (_, n) => claimTasks(database, limits({ workerId: `w${n}`, max: 7 }))),
  );
  const ids = claims.flat().map((task) => task.id);
  assert.equal(new Set(ids).size, ids.length);
  await drain();
});

test('a turn holds as many requests as fit, and the next one begins after it', async () => {
  await seedCrawl(database, urls('slow.test', 10));
  await database.query("UPDATE domains SET rate_limit_rps = 2 WHERE domain = 'slow.test'");
  const turn = await claimTasks(database, limits());
  assert.equal(turn.length, 3);
  assert.deepEqual([turn[0]!.delay_ms, turn[0]!.pace_ms, turn[0]!.step_ms, turn[0]!.turn], [0, 520, 570, 3]);
  assert.equal((await claimTasks(database, limits({ workerId: 'w2' }))).length, 0);
  const [row] = await database.query<{ ahead: number }>(
    "SELECT extract(epoch FROM next_at - now())::float8 AS ahead FROM domains WHERE domain = 'slow.test'",
  );
  assert.ok(row!.ahead > 1.2 && row!.ahead <= 1.95);
  await drain();
});

test('a worker that is slow to send gets turns that last longer', async () => {
  await seedCrawl(database, urls('slow.test', 1));
  await database.query("UPDATE domains SET rate_limit_rps = 2 WHERE domain = 'slow.test'");
  const [task] = await claimTasks(database, limits({ graceMs: 700 }));
  assert.equal(task!.length_ms, 570 + 700);
  assert.equal((await claimTasks(database, limits({ workerId: 'w2' }))).length, 0);
  await drain();
});

test('no more tasks are in flight than the domain allows', async () => {
  await seedCrawl(database, urls('c.test', 10));
  await database.query('UPDATE domains SET max_concurrency = 3');
  const first = await claimTasks(database, limits());
  assert.equal(first.length, 3);
  assert.equal((await claimTasks(database, limits())).length, 0);
  await finishTasks(database, 'w1', [done(first[0]!)]);
  await database.query("UPDATE domains SET next_at = '-infinity'");
  assert.equal((await claimTasks(database, limits())).length, 1);
  await drain();
});

test('an inactive domain, an open circuit and a maintenance window are passed by', async () => {
  await seedCrawl(database, ['http://off.test/', 'http://open.test/', 'http://closed.test/', 'http://ok.test/']);
  await database.query("UPDATE domains SET is_active = false WHERE domain = 'off.test'");
  const [open] = await database.query<{ id: string }>("SELECT id FROM domains WHERE domain = 'open.test'");
  const feedback = {
    id: open!.id,
    fetched: 0,
    failed: 5,
    trailing_failures: 5,
    successes: 0,
    latency_ms: null,
    pause_ms: 0,
    slow_down: false,
  };
  const circuit = { threshold: 5, timeoutS: 60, halfOpenSuccesses: 2, autothrottle: false };
  await recordFeedback(database, [feedback], circuit);
  await database.query(
    `UPDATE domains SET maintenance_windows = '[{"from":"00:00","to":"00:00"}]' WHERE domain = 'closed.test'`,
  );
  assert.deepEqual(
    (await claimTasks(database, limits())).map((task) => task.domain),
    ['ok.test'],
  );
  await database.query("UPDATE domains SET next_at = '-infinity', circuit_until = now() WHERE domain = 'open.test'");
  assert.deepEqual(
    (await claimTasks(database, limits())).map((task) => task.domain),
    ['open.test'],
  );
  const ok = { ...feedback, failed: 0, trailing_failures: 0, fetched: 1, successes: 1 };
  await recordFeedback(database, [ok], circuit);
  await recordFeedback(database, [ok], circuit);
  const [row] = await database.query<{ circuit_state: string }>(
    "SELECT circuit_state FROM domains WHERE domain = 'open.test'",
  );
  assert.equal(row!.circuit_state, 'closed');
  await drain();
});

test('a site that asked to slow down is trusted again bit by bit, and with autothrottle never beyond its latency', async () => {
  await seedCrawl(database, ['http://pace.test/']);
  const [domain] = await database.query<{ id: string }>("SELECT id FROM domains WHERE domain = 'pace.test'");
  const row = { id: domain!.id, fetched: 1, failed: 0, trailing_failures: 0, successes: 1, pause_ms: 0 };
  const pace = async (slow_down: boolean, latency_ms: number, autothrottle: boolean) => {
    const circuit = { threshold: 5, timeoutS: 60, halfOpenSuccesses: 2, autothrottle };
    await recordFeedback(database, [{ ...row, slow_down, latency_ms }], circuit);
    const [state] = await database.query<{ throttle_ms: number }>('SELECT throttle_ms FROM domains WHERE id = $1', [
      row.id,
    ]);
    return state!.throttle_ms;
  };
  assert.equal(await pace(true, 10, true), 500);
  assert.equal(await pace(true, 10, true), 1_000);
  assert.equal(await pace(false, 10, true), 900);
  assert.equal(await pace(false, 2_000, true), 2_000);
  assert.equal(await pace(false, 2_000, false), 1_800);
  await drain();
});

test('the write of a worker that lost its lease changes nothing', async () => {
  await seedCrawl(database, ['http://z.test/']);
  const [stale] = await claimTasks(database, limits({ workerId: 'zombie' }));
  await expireLeases(database, ['zombie']);
  assert.equal((await reapTasks(database, 10)).length, 1);
  await sweepWaiting(database);
  const [fresh] = await claimTasks(database, limits({ workerId: 'w2' }));
  assert.equal(fresh!.attempt, 2);
  assert.deepEqual(await finishTasks(database, 'zombie', [done(stale!)]), []);
  assert.equal((await renewLeases(database, 'zombie', [stale!], 1000)).size, 0);
  await releaseTasks(database, 'zombie', [stale!]);
  assert.equal((await finishTasks(database, 'w2', [done(fresh!)])).length, 1);
  await drain();
});

test('a task that takes its worker along three times when alone is quarantined, others are not', async () => {
  await seedCrawl(database, ['http://poison.test/', 'http://good.test/']);
  for (let round = 0; round < 5; round++) {
    await database.query("UPDATE tasks SET ready = true WHERE status = 'pending'");
    await database.query("UPDATE domains SET waiting = true, next_at = '-infinity'");
    const claimed = await claimTasks(database, limits({ workerId: `w${round}` }));
    const poison = claimed.find((task) => task.domain === 'poison.test')!;
    if (poison.lost_workers > 1) await markAlone(database, poison.id, poison.attempt, true);
    await expireLeases(database, [`w${round}`]);
    await reapTasks(database, 10);
  }
  const rows = await database.query<{ url: string; status: string; code: string }>(
    'SELECT url, status, code FROM tasks ORDER BY url',
  );
  assert.deepEqual(
    rows.map((row) => [row.status, row.code]),
    [
      ['pending', 'WORKER_LOST'],
      ['failed', 'QUARANTINED'],
    ],
  );
  await drain();
});

test('a retry waits for its time', async () => {
  await seedCrawl(database, ['http://r.test/']);
  const [task] = await claimTasks(database, limits());
  await finishTasks(database, 'w1', [done(task!, { status: 'pending', delay_ms: 60_000, failed: 1, code: 'TIMEOUT' })]);
  assert.equal((await promoteDue(database, 10)).length, 0);
  await database.query("UPDATE tasks SET due_at = now() - interval '1 s'");
  assert.equal((await promoteDue(database, 10)).length, 1);
  await sweepWaiting(database);
  const [again] = await claimTasks(database, limits());
  assert.deepEqual([again!.attempt, again!.failures], [2, 1]);
  await drain();
});

test('a turn of a domain with proxies belongs to one of them', async () => {
  await seedCrawl(database, urls('p.test', 6));
  await database.query(`INSERT INTO proxies (id, name, url, username, password) VALUES
    ('00000000-0000-7000-8000-000000000001', 'one', 'http://127.0.0.1:1', 'u', 'p'),
    ('00000000-0000-7000-8000-000000000002', 'two', 'socks5://127.0.0.1:2', NULL, NULL)`);
  await database.query("UPDATE domains SET uses_proxies = true, crawl_delay_ms = 1000 WHERE domain = 'p.test'");
  await database.query(
    "INSERT INTO domain_proxies (domain_id, proxy_id) SELECT d.id, p.id FROM domains d, proxies p WHERE d.domain = 'p.test'",
  );
  const first = await claimTasks(database, limits());
  const second = await claimTasks(database, limits());
  assert.deepEqual([first[0]!.proxy?.url, second[0]!.proxy?.url], ['http://127.0.0.1:1', 'socks5://127.0.0.1:2']);
  assert.deepEqual([first.length, second.length], [2, 2]);
  assert.equal((await claimTasks(database, limits())).length, 0);
  await endTurn(database, 'w1', first, turnOf(first[0]!), 0);
  const third = await claimTasks(database, limits());
  assert.deepEqual([third.length, third[0]!.proxy_id], [2, first[0]!.proxy_id], 'it is handed over by itself');
  await drain();
});

test('the strategy of a domain says which of its proxies is next, its priorities before that', async () => {
  await seedCrawl(database, urls('pool.test', 40));
  const ids = ['a', 'b', 'c'].map((last) => `00000000-0000-7000-8000-00000000000${last}`);
  const [domain] = await database.query<{ id: string }>(
    "UPDATE domains SET uses_proxies = true, rate_limit_rps = 0 WHERE domain = 'pool.test' RETURNING id",
  );
  for (const [at, id] of ids.entries()) {
    await database.query("INSERT INTO proxies (id, name, url) VALUES ($1::uuid, $1::text, 'http://127.0.0.1:1')", [id]);
    await database.query(
      `INSERT INTO domain_proxies (domain_id, proxy_id, use_count, last_used_at) VALUES ($1, $2, $3, now() - $4::int * interval '1 s')`,
      [domain!.id, id, [9, 1, 5][at], [1, 2, 3][at]],
    );
  }
  const picked = async (strategy: string) => {
    await database.query("UPDATE domains SET proxy_strategy = $1, next_at = '-infinity' WHERE domain = 'pool.test'", [
      strategy,
    ]);
    const [task] = await claimTasks(database, limits({ max: 1 }));
    return ids.indexOf(task!.proxy_id!);
  };
  assert.equal(await picked('least_used'), 1, 'the one used least');
  assert.deepEqual([await picked('round_robin'), await picked('round_robin'), await picked('round_robin')], [2, 0, 1]);
  assert.equal(await picked('lru'), 2, 'the one that rested longest');
  const random = new Set<number>();
  for (let round = 0; round < 25; round++) random.add(await picked('random'));
  assert.ok(random.size > 1);
  await database.query('UPDATE domain_proxies SET priority = 1 WHERE proxy_id = $1', [ids[0]]);
  assert.equal(await picked('lru'), 0, 'the first by priority');
  await drain();
});

test('counters say when a crawl is over, and none claims success over zero pages', async () => {
  const id = await seedCrawl(database, ['http://e.test/']);
  assert.equal((await getCrawlRow(database, id))!.pages_discovered, 1);
  const delta = crawlDelta(id, { failed: 1, refused: { OUT_OF_SCOPE: { count: 2, samples: ['x'] } } });
  assert.deepEqual(await settleCrawls(database, [delta]), [{ id, status: 'failed', ended: true }]);
  const row = await getCrawlRow(database, id);
  assert.deepEqual(
    [row!.error_code, row!.links_refused],
    ['NOTHING_FETCHED', { OUT_OF_SCOPE: { count: 2, samples: ['x'] } }],
  );
  await drain();
});

test('priority comes before the strategy of a crawl, over all crawls of a domain; then age', async () => {
  const [late, deep, first] = ['http://order.test/late', 'http://order.test/deep', 'http://order.test/first'];
  await seedCrawl(database, [late], { task: { priority: 6, rank: -1e13 } });
  await seedCrawl(database, [deep], { task: { priority: 5, rank: 3 } });
  await seedCrawl(database, [first], { task: { priority: 5, rank: 0 } });
  const order: string[] = [];
  for (let at = 0; at < 3; at++) {
    const [task] = await claimTasks(database, limits({ max: 1 }));
    order.push(task!.url);
  }
  assert.deepEqual(order, [first, deep, late]);
  await drain();
});
