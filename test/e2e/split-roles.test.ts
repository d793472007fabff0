import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { getCrawlRow } from '../../src/db/crawls/crawls.ts';
import { createEmbeddedDatabase } from '../../src/drivers/database/embedded.ts';
import {
  createCaller,
  freePort,
  killTree,
  type Program,
  runProgram,
  startProgram,
  until,
} from '../support/instance.ts';
import { html, openSite } from '../support/watch-crawls.ts';

const PAGES = 150;
const KILLS = 3;

describe('fetcher and parser as processes of their own', { timeout: 240_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-split-'));
  const running: Program[] = [];
  after(async () => {
    for (const { child } of running) killTree(child.pid!);
    await Promise.all(running.map(({ ended }) => ended));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('lose nothing and fetch nothing twice when the parser is killed over and over', async () => {
    const all = Array.from({ length: PAGES }, (_, number) => `/page/${number}`);
    const filler = 'Plain words that make the page long enough for reading it to take a moment. '.repeat(400);
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, path === '/' ? all : [], `Page ${path}. ${filler}`);
    });
    const port = await freePort();
    const env = { DATA_DIR: folder, PORT: String(port), GUARD__ALLOW: site.origin, RATE_LIMIT__DEFAULT_RPS: '0' };
    const start = (role: string) => {
      const program = startProgram([role], env);
      running.push(program);
      return program;
    };
    start('api');
    start('scheduler');
    const origin = `http://127.0.0.1:${port}`;
    await until(
      () =>
        fetch(`${origin}/api/v1/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      60_000,
    );
    const made = await runProgram(['keys', 'create', 'test', '--scopes', 'admin'], env);
    const call = createCaller(origin, made.out.trim());
    const request = { url: `${site.origin}/`, max_depth: 1, max_pages: 1_000 };
    const { id } = (await call('POST', '/crawl/deep', request)).body;
    // Beside the API, whose rate limit would slow the looking down.
    await using database = await createEmbeddedDatabase({ dataDir: folder, poolSize: 1 });
    const crawl = async () => (await getCrawlRow(database, id))!;
    const count = async (status: string) =>
      (await database.query('SELECT 1 FROM tasks WHERE crawl_id = $1 AND status = $2', [id, status])).length;

    start('fetcher');
    await until(async () => (await count('downloaded')) === 1, 60_000);
    assert.equal((await crawl()).pages_crawled, 0, 'without a parser nothing is read');

    let parser = start('parser');
    for (let kill = 0; kill < KILLS; kill++) {
      // In the middle of reading, or never: a fast parser may be done before the last of the kills.
      await until(async () => (await count('parsing')) > 0 || (await crawl()).completed_at !== null, 60_000);
      parser.child.kill('SIGKILL');
      await parser.ended;
      parser = start('parser');
    }
    await until(async () => !['pending', 'running'].includes((await crawl()).status), 120_000);
    const { status, pages_crawled, pages_failed } = await crawl();
    assert.deepEqual([status, pages_crawled, pages_failed], ['completed', PAGES + 1, 0]);
    assert.equal(await count('completed'), PAGES + 1);
    assert.equal((await database.query('SELECT DISTINCT url FROM documents')).length, PAGES + 1);
    const lost = await database.query('SELECT 1 FROM tasks WHERE lost_workers > 0');
    assert.notEqual(lost.length, 0, 'a parser was killed while it read');
    assert.deepEqual(site.asked.toSorted(), ['/', '/robots.txt', ...all].sort());

    const roles = async () => {
      const { items } = (await call('GET', '/workers')).body as { items: { role: string; is_alive: boolean }[] };
      return new Set(items.filter(({ is_alive }) => is_alive).map(({ role }) => role));
    };
    await until(async () => (await roles()).has('parser'), 60_000);
    assert.deepEqual([...(await roles())].filter((role) => /fetch|pars|work/.test(role)).sort(), ['fetcher', 'parser']);
  });
});
