import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PROXY_PURPOSE } from '../../src/db/admin/sealed-values.ts';
import { claimProxyChecks, recordProxyCheck, recordProxyHealth } from '../../src/db/proxies/proxy-health.ts';
import { setProxyActive } from '../../src/db/proxies/proxy-pool.ts';
import { newId } from '../../src/ids.ts';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { getDomain } from '../../src/operations/domains/get-domain.ts';
import { assignDomainProxies } from '../../src/operations/proxies/assign-domain-proxies.ts';
import { createProxy } from '../../src/operations/proxies/create-proxy.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { checkProxies } from '../../src/scheduler/check-proxies.ts';
import { createEngine, type Engine, eventually } from '../support/engine.ts';
import { createProxyServer } from '../support/proxy-server.ts';
import { startWebServer } from '../support/web-server.ts';

const limits = { domainFailures: 5, failures: 10 };
let engine: Engine;
before(async () => {
  engine = await createEngine();
});
after(() => engine[Symbol.asyncDispose]());

async function makePair(name: string, url = 'http://127.0.0.1:1'): Promise<{ proxy: string; domain: string }> {
  const [proxy, domain] = [newId(), newId()];
  await engine.database.query('INSERT INTO proxies (id, name, url) VALUES ($1, $2, $3)', [proxy, name, url]);
  await engine.database.query('INSERT INTO domains (id, domain, uses_proxies) VALUES ($1, $2, true)', [domain, name]);
  await engine.database.query('INSERT INTO domain_proxies (domain_id, proxy_id) VALUES ($1, $2)', [domain, proxy]);
  return { proxy, domain };
}

async function look(pair: { proxy: string; domain: string }) {
  const [row] = await engine.database.query<Record<string, unknown>>(
    `SELECT p.is_active, p.off_by_health, p.failure_count, p.success_count, p.avg_response_ms, dp.is_active AS pair_active,
       dp.off_by_health AS pair_off, dp.failure_count AS pair_failures, dp.success_count AS pair_successes
     FROM proxies p JOIN domain_proxies dp ON dp.proxy_id = p.id WHERE p.id = $1`,
    [pair.proxy],
  );
  return row!;
}

const fail = (pair: { proxy: string; domain: string }, times: number) => {
  const row = { proxy_id: pair.proxy, successes: 0, trailing_failures: times, response_ms: null };
  return recordProxyHealth(engine.database, [{ ...row, domain_id: pair.domain }], [row], limits);
};
const succeed = (pair: { proxy: string; domain: string }) => {
  const row = { proxy_id: pair.proxy, successes: 1, trailing_failures: 0, response_ms: 100 };
  return recordProxyHealth(engine.database, [{ ...row, domain_id: pair.domain }], [row], limits);
};

describe('the health of proxies', () => {
  it('five failures in a row turn a proxy off for the domain, ten for all, a success turns it on', async () => {
    const pair = await makePair('rows.test');
    await fail(pair, 4);
    assert.equal((await look(pair)).pair_active, true);
    await succeed(pair);
    await fail(pair, 4);
    assert.deepEqual([(await look(pair)).pair_active, (await look(pair)).pair_failures], [true, 4]);
    await fail(pair, 1);
    assert.deepEqual([(await look(pair)).pair_active, (await look(pair)).is_active], [false, true]);
    assert.equal((await getDomain(engine.app, 'rows.test')).stalled_by, 'PROXY_UNAVAILABLE');
    await fail(pair, 5);
    assert.deepEqual([(await look(pair)).is_active, (await look(pair)).failure_count], [false, 10]);
    await succeed(pair);
    const row = await look(pair);
    assert.deepEqual([row.is_active, row.pair_active, row.failure_count, row.pair_failures], [true, true, 0, 0]);
    assert.equal(row.avg_response_ms, 100);
    assert.equal((await getDomain(engine.app, 'rows.test')).stalled_by, null);
  });

  it('what a person turned off stays off, whatever succeeds', async () => {
    const pair = await makePair('manual.test');
    await setProxyActive(engine.database, pair.proxy, false);
    await succeed(pair);
    await recordProxyCheck(engine.database, pair.proxy, true, 5, limits);
    assert.equal((await look(pair)).is_active, false);
    assert.deepEqual(await claimProxyChecks(engine.database, 0, 10), []);
    await setProxyActive(engine.database, pair.proxy, true);
    assert.equal((await look(pair)).is_active, true);
  });

  it('the check brings back a proxy that answers, on trial, and leaves a dead one off', async () => {
    await using alive = await createProxyServer({ kind: 'http' });
    const good = await makePair('good.test', `http://${alive.authority}`);
    const dead = await makePair('dead.test', 'http://127.0.0.1:1');
    for (const pair of [good, dead]) await fail(pair, 10);
    assert.equal(await checkProxies(engine.app), 0, 'not before the interval is over');
    await engine.database.query(
      `WITH d AS (UPDATE domain_proxies SET last_failure_at = now() - interval '1 hour')
       UPDATE proxies SET last_failure_at = now() - interval '1 hour'`,
    );
    assert.equal(await checkProxies(engine.app), 2);
    assert.deepEqual(
      [(await look(good)).is_active, (await look(good)).pair_active, (await look(dead)).is_active],
      [true, true, false],
    );
    await fail(good, 1);
    assert.equal((await look(good)).pair_active, false);
  });
});

describe('a domain with proxies', () => {
  it('is asked through them alone, robots.txt included, and a dead one is left out of the circuit', async () => {
    await using proxy = await createProxyServer({ kind: 'http', credentials: 'us er:p@ss' });
    await using site = await startWebServer((request, response) => {
      response.setHeader('content-type', request.url === '/robots.txt' ? 'text/plain' : 'text/html');
      response.end(request.url === '/robots.txt' ? 'User-agent: *\nDisallow: /no' : '<p>Some words of a page.</p>');
    });
    const { database, app } = engine;
    const [live, dead] = [newId(), newId()];
    await database.query(
      `INSERT INTO proxies (id, name, url, username, password) VALUES ($1, 'live', $2, 'us er', $4),
         ($3, 'broken', 'http://127.0.0.1:1', NULL, NULL)`,
      [live, `http://${proxy.authority}`, dead, app.secrets.seal(PROXY_PURPOSE, 'p@ss')],
    );
    const domain = `127.0.0.1:${site.port}`;
    await database.query('INSERT INTO domains (id, domain, uses_proxies) VALUES ($1, $2, true)', [newId(), domain]);
    await database.query(
      'INSERT INTO domain_proxies (domain_id, proxy_id) SELECT d.id, p.id FROM domains d, proxies p WHERE d.domain = $1 AND p.id IN ($2, $3)',
      [domain, live, dead],
    );
    const crawl = await startCrawl(app, {
      urls: Array.from({ length: 12 }, (_, n) => `${site.origin}/${n}`),
    });
    const stop = engine.run(runWorker);
    await eventually(
      () => database.query<{ status: string }>('SELECT status FROM crawls WHERE id = $1', [crawl.id]),
      ([row]) => row?.status === 'completed',
    );
    await stop();
    assert.ok(proxy.targets.length > 0);
    assert.equal(site.asked.filter((path) => path === '/robots.txt').length, 1);
    const [state] = await database.query<{ circuit_failures: number; failures: number }>(
      `SELECT d.circuit_failures, (SELECT max(failures) FROM tasks WHERE crawl_id = $2) AS failures FROM domains d WHERE d.domain = $1`,
      [domain, crawl.id],
    );
    assert.deepEqual([state!.circuit_failures, state!.failures], [0, 0]);
    const [good] = await database.query<{ success_count: number; avg_response_ms: number }>(
      'SELECT success_count, avg_response_ms FROM domain_proxies WHERE proxy_id = $1',
      [live],
    );
    assert.equal(good!.success_count, 12);
    assert.ok(good!.avg_response_ms > 0);
    const direct = await database.query('SELECT id FROM tasks WHERE crawl_id = $1 AND proxy_id IS NULL', [crawl.id]);
    assert.deepEqual(direct, []);
  });

  it('is asked through them also by a redirect from elsewhere', async () => {
    await using proxy = await createProxyServer({ kind: 'http' });
    await using target = await startWebServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<p>Some words of a page.</p>');
    });
    await using site = await startWebServer((_request, response) => {
      response.writeHead(302, { location: `${target.origin}/page` }).end();
    });
    const { database, app } = engine;
    const { id } = await createProxy(app, { name: 'hop', url: `http://${proxy.authority}` });
    await assignDomainProxies(app, `127.0.0.1:${target.port}`, { proxy_ids: [id], priority: 5 });
    const crawl = await startCrawl(app, { urls: [`${site.origin}/`], options: { respect_robots_txt: false } });
    const stop = engine.run(runWorker);
    await eventually(
      () => database.query<{ status: string }>('SELECT status FROM crawls WHERE id = $1', [crawl.id]),
      ([row]) => row?.status === 'completed',
    );
    await stop();
    assert.deepEqual(target.asked, ['/page']);
    assert.deepEqual(proxy.targets, [`127.0.0.1:${target.port}`]);
  });

  it('waits while all of them are off, and says so', async () => {
    const { database, app } = engine;
    await using site = await startWebServer((_request, response) => response.end('words'));
    const domain = `127.0.0.1:${site.port}`;
    const proxy = newId();
    await database.query(
      `INSERT INTO proxies (id, name, url, is_active) VALUES ($1, 'sleeping', 'http://127.0.0.1:1', false)`,
      [proxy],
    );
    await database.query('INSERT INTO domains (id, domain, uses_proxies) VALUES ($1, $2, true)', [newId(), domain]);
    await database.query(
      'INSERT INTO domain_proxies (domain_id, proxy_id) SELECT id, $2 FROM domains WHERE domain = $1',
      [domain, proxy],
    );
    const crawl = await startCrawl(app, { urls: [`${site.origin}/`] });
    const stop = engine.run(runWorker);
    await eventually(
      () =>
        database.query<{ later: boolean }>('SELECT next_at > now() AS later FROM domains WHERE domain = $1', [domain]),
      ([row]) => row?.later === true,
    );
    await stop();
    assert.deepEqual(site.asked, []);
    assert.equal((await getDomain(app, domain)).stalled_by, 'PROXY_UNAVAILABLE');
    const [task] = await database.query<{ status: string; attempt: number }>(
      'SELECT status, attempt FROM tasks WHERE crawl_id = $1',
      [crawl.id],
    );
    assert.deepEqual([task!.status, task!.attempt], ['pending', 0]);
  });
});
