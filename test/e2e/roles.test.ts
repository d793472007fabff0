import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startDemoSite } from '../../src/demo/server.ts';
import {
  createCaller,
  freePort,
  killTree,
  type Program,
  runProgram,
  startProgram,
  until,
} from '../support/instance.ts';

describe('each role as a process of its own', { timeout: 150_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-roles-'));
  const running: Program[] = [];
  after(async () => {
    for (const { child } of running) killTree(child.pid!);
    await Promise.all(running.map(({ ended }) => ended));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shares one database, and together they crawl, index and answer', async () => {
    await using site = await startDemoSite();
    const port = await freePort();
    const env = { DATA_DIR: folder, PORT: String(port), GUARD__ALLOW: site.origin, RATE_LIMIT__DEFAULT_RPS: '50' };
    for (const role of ['api', 'worker', 'indexer', 'scheduler']) running.push(startProgram([role], env));
    const origin = `http://127.0.0.1:${port}`;
    await until(
      () =>
        fetch(`${origin}/api/v1/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      60_000,
    );
    const made = await runProgram(['keys', 'create', 'test', '--scopes', 'admin'], env);
    const call = createCaller(origin, made.out.trim());

    const request = { url: `${site.origin}/docs/`, max_depth: 1, max_pages: 12 };
    const started = await call('POST', '/crawl/deep', request);
    assert.equal(started.status, 202, JSON.stringify(started.body));
    const crawl = async () => (await call('GET', `/crawl/${started.body.id}`)).body;
    await until(async () => !['pending', 'running'].includes((await crawl()).status), 60_000);
    assert.deepEqual([(await crawl()).status, (await crawl()).pages_crawled], ['completed', 12]);
    await until(async () => (await call('GET', '/stats')).body.outbox === 0, 60_000);
    const found = await call('POST', '/search', { query: 'documentation', limit: 5 });
    assert.ok(found.body.results.length > 0, JSON.stringify(found.body));
    assert.equal(found.body.degraded, false);

    const { items } = (await call('GET', '/workers')).body;
    const alive = items.filter((worker: { is_alive: boolean }) => worker.is_alive);
    assert.deepEqual([...new Set(alive.map(({ role }: { role: string }) => role))].sort(), [
      'indexer',
      'jobs',
      'scheduler',
      'worker',
    ]);

    for (const { child } of running) child.kill('SIGTERM');
    for (const { ended } of running) {
      const { code, out, talk } = await ended;
      assert.equal(code, 0, talk);
      assert.equal(out, '');
      assert.doesNotMatch(talk, /"level":"error"/);
    }
  });
});
