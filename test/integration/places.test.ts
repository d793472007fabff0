import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { after, afterEach, before, test } from 'node:test';
import { type ClaimedTask, claimTasks, holdDomains, releaseTasks } from '../../src/db/frontier/frontier.ts';
import { checkPlace, endPlace, expirePlaces, listPlaceHolders, takePlace } from '../../src/db/frontier/places.ts';
import { endTurn, markAnswered } from '../../src/db/frontier/turns.ts';
import { cancelTasks, pauseTasks } from '../../src/db/tasks/control-tasks.ts';
import { expireLeases, finishTasks, reapTasks } from '../../src/db/tasks/finish-tasks.ts';
import { newId } from '../../src/ids.ts';
import type { Database } from '../../src/ports/database.ts';
import { birthOf, isGone, processName } from '../../src/process-name.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createTestDatabase } from '../support/database.ts';
import { done, limits, turnOf, urls } from '../support/frontier.ts';

let database: Database;
before(async () => {
  database = await createTestDatabase();
});
after(() => database[Symbol.asyncDispose]());
afterEach(async () => {
  await database.query('DELETE FROM crawls');
  await database.query('DELETE FROM domains');
});

const nextAt = async () => (await database.query<{ at: string }>('SELECT next_at::text AS at FROM domains'))[0]!.at;

/** Takes a place for a request that is no task. */
async function place(domain: string, over: Partial<Parameters<typeof takePlace>[1]> = {}) {
  const id = newId();
  const terms = await takePlace(database, {
    id,
    holder: 'test',
    domain,
    proxyId: null,
    defaultRps: 0,
    maxWaitMs: 60_000,
    graceMs: 0,
    leaseMs: 30_000,
    ...over,
  });
  return { id, ...terms! };
}
const mayStart = async (id: string, taskId: string | null = null) => {
  const state = await checkPlace(database, id, taskId, 8);
  return state!.has_free_place && state!.opens_in_ms === 0;
};
const giveBack = ({ id, place_end }: { id: string; place_end: string }, domain: string, opensInMs = 0) =>
  endPlace(database, { id, domain, proxyId: null, end: place_end, opensInMs });

test('crawl-delay wins over a faster rate, and places stand in the same row as turns', async () => {
  await seedCrawl(database, urls('b.test', 2));
  await database.query("UPDATE domains SET rate_limit_rps = 100, crawl_delay_ms = 3000 WHERE domain = 'b.test'");
  const first = await place('b.test');
  const second = await place('b.test');
  assert.equal(first.delay_ms, 3000);
  assert.ok(second.wait_ms - first.wait_ms > 2_900);
  assert.equal((await claimTasks(database, limits())).length, 0);
});

test('a place that would come too late is not taken, and one that is given back is there for the next', async () => {
  await seedCrawl(database, urls('b.test', 2));
  await database.query("UPDATE domains SET crawl_delay_ms = 60000 WHERE domain = 'b.test'");
  const first = await place('b.test');
  const before = await nextAt();
  const late = await place('b.test', { maxWaitMs: 5_000 });
  assert.deepEqual([first.taken, late.taken, late.held_by], [true, false, 'turn']);
  assert.ok(late.wait_ms > 55_000 && late.wait_ms <= 66_000, `${late.wait_ms}`);
  assert.equal(await nextAt(), before, 'nothing was taken');
  await giveBack(first, 'b.test');
  assert.equal((await place('b.test', { maxWaitMs: 5_000 })).taken, true);
});

test('a maintenance window and an open circuit close a domain to places too', async () => {
  await seedCrawl(database, ['http://closed.test/', 'http://open.test/']);
  await database.query(
    `UPDATE domains SET maintenance_windows = '[{"from":"00:00","to":"00:00"}]' WHERE domain = 'closed.test'`,
  );
  await database.query(
    "UPDATE domains SET circuit_state = 'open', circuit_until = now() + interval '5 min' WHERE domain = 'open.test'",
  );
  for (const [domain, held] of [
    ['closed.test', 'maintenance'],
    ['open.test', 'circuit'],
  ] as const) {
    const { taken, held_by } = await place(domain, { maxWaitMs: 1_000 });
    assert.deepEqual([taken, held_by], [false, held]);
  }
});

test('with a delay, requests go alone: places one after the other, and none beside a task', async () => {
  await seedCrawl(database, urls('d.test', 4));
  await database.query("UPDATE domains SET crawl_delay_ms = 1000 WHERE domain = 'd.test'");
  const first = await place('d.test');
  const second = await place('d.test');
  assert.deepEqual([await mayStart(first.id), await mayStart(second.id)], [true, false]);
  await database.query("UPDATE domains SET next_at = '-infinity'");
  assert.equal((await claimTasks(database, limits())).length, 0, 'a request is under way');
  await giveBack(first, 'd.test', 60_000);
  assert.equal(await mayStart(second.id), false, 'the delay after the answer before it');
  await database.query("UPDATE domains SET open_at = '-infinity'");
  assert.equal(await mayStart(second.id), true);
  await giveBack(second, 'd.test');
  await database.query("UPDATE domains SET next_at = '-infinity'");
  const [task] = await claimTasks(database, limits({ max: 1 }));
  const third = await place('d.test');
  assert.deepEqual([await mayStart(third.id), await mayStart(third.id, task!.id)], [false, true]);
});

test('a process that died with a place does not keep the domain closed', async () => {
  await seedCrawl(database, urls('d.test', 1));
  await database.query("UPDATE domains SET crawl_delay_ms = 1000 WHERE domain = 'd.test'");
  await place('d.test', { leaseMs: -1_000 });
  await database.query("UPDATE domains SET next_at = '-infinity'");
  assert.equal((await claimTasks(database, limits())).length, 1);
});

test('a place outlives its lease by the delay: its request may have been under way until then', async () => {
  await seedCrawl(database, urls('d.test', 1));
  await database.query("UPDATE domains SET crawl_delay_ms = 60000 WHERE domain = 'd.test'");
  await place('d.test', { leaseMs: 0 });
  await database.query("UPDATE domains SET next_at = '-infinity'");
  assert.equal((await claimTasks(database, limits())).length, 0);
});

/** Claims with one worker, loses it, and says for how many milliseconds its domain and its proxies are closed then. */
async function loseWorker(change: string, before?: (tasks: ClaimedTask[]) => Promise<unknown>) {
  await seedCrawl(database, urls('d.test', 4));
  await database.query(`UPDATE domains SET ${change} WHERE domain = 'd.test'`);
  const tasks = await claimTasks(database, limits());
  await before?.(tasks);
  // Whatever the turn closed is open again by now.
  await database.query("UPDATE domains SET next_at = '-infinity', open_at = '-infinity'");
  await database.query("UPDATE domain_proxies SET next_at = '-infinity', open_at = '-infinity'");
  await expireLeases(database, ['w1']);
  assert.equal((await reapTasks(database, 10)).length, tasks.length);
  const left = (column: string) => `greatest(0, extract(epoch FROM ${column} - now()) * 1000)::int`;
  const [row] = await database.query<{ turn: number; place: number; through: number[] | null }>(
    `SELECT ${left('next_at')} AS turn, ${left('open_at')} AS place,
       (SELECT array_agg(${left('least(dp.next_at, dp.open_at)')} ORDER BY dp.proxy_id = $1) FROM domain_proxies dp) AS through FROM domains`,
    [tasks[0]!.proxy_id],
  );
  return row!;
}

test('after a worker was lost, a domain with a delay stays closed for it, to turns and to places', async () => {
  const closed = await loseWorker('crawl_delay_ms = 60000');
  assert.ok(closed.turn > 55_000 && closed.place > 55_000, JSON.stringify(closed));
  assert.equal((await claimTasks(database, limits({ workerId: 'w2', aheadMs: 50_000 }))).length, 0);
});

test('a lost worker closes no domain that has a pace alone, and none whose answer it had', async () => {
  assert.deepEqual(await loseWorker('rate_limit_rps = 0.001'), { turn: 0, place: 0, through: null });
  await database.query('DELETE FROM crawls');
  const answered = (tasks: ClaimedTask[]) => markAnswered(database, 'w1', tasks);
  assert.deepEqual(await loseWorker('crawl_delay_ms = 60000', answered), { turn: 0, place: 0, through: null });
});

test('a worker lost behind a proxy closes the domain for that proxy alone', async () => {
  await seedCrawl(database, urls('d.test', 1));
  const [domain] = await database.query<{ id: string }>('SELECT id FROM domains');
  for (const id of [newId(), newId()]) {
    await database.query('INSERT INTO proxies (id, name, url) VALUES ($1, $2, $2)', [id, `http://${id}.test:1`]);
    await database.query('INSERT INTO domain_proxies (domain_id, proxy_id) VALUES ($1, $2)', [domain!.id, id]);
  }
  const closed = await loseWorker('crawl_delay_ms = 60000, uses_proxies = true');
  assert.deepEqual([closed.turn, closed.place, closed.through![0]], [0, 0, 0]);
  assert.ok(closed.through![1]! > 55_000, JSON.stringify(closed));
  await database.query('DELETE FROM proxies');
});

test('with a pace alone, turns follow each other while answers are out, up to the concurrency', async () => {
  await seedCrawl(database, urls('p.test', 20));
  await database.query("UPDATE domains SET rate_limit_rps = 100, max_concurrency = 5 WHERE domain = 'p.test'");
  const beside = await place('p.test');
  const ahead = limits({ aheadMs: 60_000 });
  const first = await claimTasks(database, ahead);
  assert.equal(first.length, 4, 'one of five is a request that is no task');
  await endTurn(database, 'w1', first.slice(0, 1), turnOf(first[0]!), 0);
  assert.equal((await claimTasks(database, ahead)).length, 1);
  await markAnswered(database, 'w1', first.slice(1, 3));
  await database.query('UPDATE domains SET waiting = true');
  assert.equal((await claimTasks(database, ahead)).length, 2);
  assert.equal(await mayStart(beside.id), true, 'it was counted by those after it');
  const late = await place('p.test');
  assert.equal(await mayStart(late.id), false);
  await markAnswered(database, 'w1', first.slice(3));
  assert.equal(await mayStart(late.id), true);
});

test('a domain with a delay gives no turn while a request may be under way, and stays closed after the answer', async () => {
  await seedCrawl(database, urls('d.test', 4));
  await database.query("UPDATE domains SET crawl_delay_ms = 2000 WHERE domain = 'd.test'");
  const [task] = await claimTasks(database, limits());
  await database.query("UPDATE domains SET next_at = '-infinity'");
  assert.equal((await claimTasks(database, limits({ workerId: 'w2' }))).length, 0);
  await finishTasks(database, 'w1', [done(task!)]);
  await holdDomains(database, [{ domain_id: task!.domain_id, proxy_id: null, left_ms: 1_500 }]);
  assert.equal((await claimTasks(database, limits({ workerId: 'w2' }))).length, 0);
  await database.query("UPDATE domains SET next_at = '-infinity'");
  assert.equal((await claimTasks(database, limits({ workerId: 'w2' }))).length, 1);
});

test('a turn is handed over when its last request is answered, while its pages are still being read', async () => {
  await seedCrawl(database, urls('d.test', 12));
  await database.query("UPDATE domains SET crawl_delay_ms = 500, max_concurrency = 4 WHERE domain = 'd.test'");
  const first = await claimTasks(database, limits());
  assert.equal(await nextAt(), first[0]!.turn_end);
  assert.equal((await claimTasks(database, limits({ workerId: 'w2' }))).length, 0);
  await endTurn(database, 'w1', first, turnOf(first[0]!), 0);
  const second = await claimTasks(database, limits({ workerId: 'w2' }));
  assert.deepEqual([first.length, second.length], [4, 4]);
  assert.equal((await claimTasks(database, limits({ aheadMs: 60_000 }))).length, 0, 'the next one is closed again');
  assert.equal(
    (
      await finishTasks(
        database,
        'w1',
        first.map((task) => done(task)),
      )
    ).length,
    4,
  );
  await endTurn(database, 'w1', [], turnOf(first[0]!), 0);
  assert.equal(await nextAt(), second[0]!.turn_end, 'a turn that is over moves nothing');
});

test('a turn is handed over no earlier than the delay after its last answer', async () => {
  await seedCrawl(database, urls('d.test', 4));
  await database.query("UPDATE domains SET crawl_delay_ms = 500 WHERE domain = 'd.test'");
  const turn = await claimTasks(database, limits());
  await endTurn(database, 'w1', turn, turnOf(turn[0]!), 50_000);
  assert.equal((await claimTasks(database, limits({ aheadMs: 40_000 }))).length, 0);
});

test('a turn keeps its end when the time of its domain was moved meanwhile', async () => {
  await seedCrawl(database, urls('d.test', 12));
  await database.query("UPDATE domains SET crawl_delay_ms = 500 WHERE domain = 'd.test'");
  const turn = await claimTasks(database, limits());
  await place('d.test');
  const reserved = await nextAt();
  await endTurn(database, 'w1', turn, turnOf(turn[0]!), 0);
  assert.equal(await nextAt(), reserved);
});

test('no turn begins while one of the pages is asked for, or asked for again', async () => {
  await seedCrawl(database, urls('d.test', 12));
  await database.query("UPDATE domains SET crawl_delay_ms = 500 WHERE domain = 'd.test'");
  const turn = await claimTasks(database, limits());
  const late = limits({ workerId: 'w2', aheadMs: 60_000 });
  await endTurn(database, 'w1', turn.slice(1), turnOf(turn[0]!), 30_000);
  const opensAt = await nextAt();
  assert.equal((await claimTasks(database, late)).length, 0);
  assert.equal(await nextAt(), opensAt, 'whoever looks in vain brings nothing forward');
  await endTurn(database, 'w1', turn.slice(0, 1), turnOf(turn[0]!), 0);
  const again = await place('d.test');
  assert.equal((await claimTasks(database, late)).length, 0);
  await giveBack(again, 'd.test');
  assert.equal((await claimTasks(database, late)).length, 4);
});

for (const [name, withdraw] of [
  ['paused', pauseTasks],
  ['cancelled', cancelTasks],
] as const)
  test(`the request of a task that is ${name} counts until the site has answered, and its lease at most`, async () => {
    await seedCrawl(database, urls('d.test', 12));
    await database.query("UPDATE domains SET crawl_delay_ms = 500 WHERE domain = 'd.test'");
    const [task] = await claimTasks(database, limits({ max: 1 }));
    await withdraw(database, { taskId: task!.id });
    await database.query("UPDATE domains SET next_at = '-infinity', waiting = true");
    const other = limits({ workerId: 'w2', max: 1 });
    assert.equal((await claimTasks(database, other)).length, 0);
    const behind = await place('d.test');
    assert.equal(await mayStart(behind.id), false);
    await giveBack(behind, 'd.test');
    // A newer attempt that is answered says nothing about the older one.
    await markAnswered(database, 'w1', [{ id: task!.id, attempt: task!.attempt + 1 }]);
    await database.query("UPDATE domains SET next_at = '-infinity'");
    assert.equal((await claimTasks(database, other)).length, 0);
    await markAnswered(database, 'w1', [task!]);
    await database.query("UPDATE domains SET next_at = '-infinity'");
    const [next] = await claimTasks(database, other);
    assert.notEqual(next, undefined);
    // Its worker dies: the request counts no longer than the lease and the delay.
    await withdraw(database, { taskId: next!.id });
    const [left] = await database.query<{ ms: number }>(
      'SELECT extract(epoch FROM lease_until - now())::float8 * 1000 AS ms FROM side_requests',
    );
    assert.ok(left!.ms > 30_000 && left!.ms <= 60_500, String(left!.ms));
  });

test('a task that was paused before its request left, or whose result is refused, no longer counts', async () => {
  await seedCrawl(database, urls('d.test', 12));
  await database.query("UPDATE domains SET crawl_delay_ms = 500 WHERE domain = 'd.test'");
  const [task] = await claimTasks(database, limits({ max: 1 }));
  await pauseTasks(database, { taskId: task!.id });
  await releaseTasks(database, 'w1', [task!]);
  assert.equal((await database.query('SELECT 1 FROM side_requests')).length, 0);
  const [status] = await database.query<{ status: string }>('SELECT status FROM tasks WHERE id = $1', [task!.id]);
  assert.equal(status!.status, 'paused');
});

test('places of a process that is gone end when that is noticed, after the delay where there is one', async () => {
  await seedCrawl(database, [...urls('d.test', 2), ...urls('p.test', 2)]);
  await database.query("UPDATE domains SET crawl_delay_ms = 5000 WHERE domain = 'd.test'");
  await database.query("UPDATE domains SET rate_limit_rps = 100, max_concurrency = 1 WHERE domain = 'p.test'");
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  const holder = `${hostname()}/${child.pid}/${birthOf(child.pid!)}`;
  await once(child, 'exit');
  for (const domain of ['d.test', 'p.test']) {
    await place(domain, { holder });
    await place(domain, { holder: processName() });
  }
  assert.deepEqual((await listPlaceHolders(database)).filter(isGone), [holder]);
  await expirePlaces(database, [holder]);
  const left = await database.query<{ domain: string; mine: boolean; seconds: number }>(
    `SELECT d.domain, r.holder = $1 AS mine, ceil(greatest(0, extract(epoch FROM r.lease_until - now())))::int AS seconds
     FROM side_requests r JOIN domains d ON d.id = r.domain_id ORDER BY 1, 2`,
    [processName()],
  );
  assert.deepEqual(
    left.map(({ domain, mine, seconds }) => [domain, mine, seconds > 20 ? 'held' : seconds]),
    [
      ['d.test', false, 5],
      ['d.test', true, 'held'],
      ['p.test', false, 0],
      ['p.test', true, 'held'],
    ],
  );
});
