import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Database } from '../../../src/ports/database.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { writeServerFile } from '../../../src/surfaces/server-file.ts';
import { createTestApi } from '../../support/api.ts';
import { type CommandOutcome, runCommand } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';

const PAGES: Record<string, string> = {
  '/': '<title>Start</title><main><h1>Start</h1><p>A page about lighthouses and the sea around them.</p><a href="/two">Two</a><a href="/private/x">No</a></main>',
  '/two':
    '<title>Two</title><main><h1>Two</h1><p>Another page, about harbours, ferries and the people who wait for them.</p></main>',
  '/private/x': '<title>Private</title>',
};

describe('the command line', () => {
  let site: Server;
  let origin: string;
  let database: Database;
  let env: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-cli-'));
  before(async () => {
    site = createServer((request, response) => {
      if (request.url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private\n');
      const body = PAGES[request.url ?? ''];
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' });
      response.end(`<html lang="en">${body ?? ''}</html>`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    database = await createTestDatabase();
    env = {
      DATA_DIR: folder,
      DATABASE__POSTGRES_URL: database.url,
      GUARD__ALLOW: origin,
      RATE_LIMIT__DEFAULT_RPS: '50',
      FULLTEXT__DRIVER: 'postgres',
    };
  });
  after(async () => {
    site.close();
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const run = (...args: string[]) => runCommand(args, env);
  const clean = ({ stderr }: CommandOutcome) => assert.doesNotMatch(stderr, /\n\s+at |node:internal/);

  it('COMMAND --help shows that command, its options and steps, and no other', async () => {
    const crawl = await run('crawl', '--help');
    assert.equal(crawl.code, 0);
    assert.match(crawl.stdout, /--max-pages N +\S/);
    assert.doesNotMatch(crawl.stdout, /reindex|Look after it/);
    const step = await run('domains', 'block', '--help');
    assert.match(step.stdout, /crawl4r domains block DOMAIN/);
    assert.doesNotMatch(step.stdout, /unblock/);
    const keys = await run('keys', '-h');
    assert.match(keys.stdout, /login-link/);
    assert.match((await run('parser', '--help')).stdout, /^parser: .*\n\n {2}crawl4r parser\n$/);
  });

  it('help goes to stdout', async () => {
    const outcome = await run('help');
    assert.deepEqual([outcome.code, outcome.stderr], [0, '']);
    assert.match(outcome.stdout, /crawl URL…/);
  });

  it('errors have an exit code and, with --json, a line of JSON', async () => {
    const wrong = await run('search', 'x', '--frobnicate', '--json');
    assert.equal(wrong.code, 2, wrong.stderr);
    assert.deepEqual([JSON.parse(wrong.stderr).code, wrong.stdout], ['USAGE', '']);
    const unknown = await run('frobnicate');
    assert.deepEqual(
      [unknown.code, unknown.stderr.split('\n')[0]],
      [2, 'crawl4r: there is no command "frobnicate" (USAGE)'],
    );
  });

  it('scrape reads one page without a database, and obeys robots.txt', async () => {
    const alone = {
      DATA_DIR: '/nonexistent',
      DATABASE__POSTGRES_URL: 'postgres://127.0.0.1:1/none',
      GUARD__ALLOW: origin,
    };
    const page = await runCommand(['scrape', origin], alone);
    assert.equal(page.code, 0, page.stderr);
    assert.match(page.stdout, /lighthouses/);
    const links = await runCommand(['scrape', origin, '--format', 'links'], alone);
    assert.deepEqual(links.stdout.trim().split('\n'), [`${origin}/two`, `${origin}/private/x`]);
    const refused = await runCommand(['scrape', `${origin}/private/x`], alone);
    assert.match(refused.stderr, /ROBOTS_DISALLOWED/);
    assert.equal(refused.code, 1);
  });

  it('a search over nothing says what to do first', async () => {
    const outcome = await run('search', 'lighthouses', '--mode', 'keyword');
    assert.deepEqual([outcome.code, outcome.stdout], [0, '']);
    assert.match(outcome.stderr, /nothing to search yet: crawl4r crawl URL/);
  });

  it('crawl waits, prints what it read, writes it, and says what it left out', async () => {
    const out = join(folder, 'pages.jsonl');
    const outcome = await run('crawl', origin, '--depth', '2', '--out', out);
    assert.equal(outcome.code, 0, outcome.stderr);
    assert.deepEqual(outcome.stdout.trim().split('\n').sort(), [`${origin}/\tStart`, `${origin}/two\tTwo`]);
    assert.match(outcome.stderr, /ROBOTS_DISALLOWED\s+1 page\b/);
    const lines = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ title }) => title).sort(), ['Start', 'Two']);
  });

  it('crawl ends with 3 when nothing came in', async () => {
    const outcome = await run('crawl', `${origin}/missing`);
    assert.equal(outcome.code, 3, outcome.stderr);
    assert.match(outcome.stderr, /NOTHING_FETCHED/);
    clean(outcome);
  });

  it('search and tasks find what the crawl left', async () => {
    const found = JSON.parse((await run('search', 'lighthouses', '--mode', 'keyword', '--json')).stdout);
    assert.equal(found.results[0].url, `${origin}/`);
    const told = await run(
      'search',
      'lighthouses',
      '--mode',
      'keyword',
      '--domain',
      found.results[0].domain,
      '--explain',
    );
    assert.match(told.stdout, /score \d+\.\d+, vector none, keyword #1 \d/);
    assert.match(told.stderr, /"keyword":[\d.]+/);
    const other = await run('search', 'lighthouses', '--mode', 'keyword', '--domain', 'example.org');
    assert.match(other.stderr, /nothing matches: try fewer or other words, or fewer filters/);
    const tasks = await run('tasks', '--status', 'skipped', '--json');
    assert.equal(JSON.parse(tasks.stdout).code, 'ROBOTS_DISALLOWED');
  });

  it('export writes files when they are whole, and import takes an archive back', async () => {
    const out = join(folder, 'site.warc.gz');
    const written = await run('export', 'warc', '--out', out, '--json');
    assert.equal(written.code, 0, written.stderr);
    const { rows, bytes } = JSON.parse(written.stdout);
    assert.deepEqual([rows, statSync(out).size], [4, bytes]);
    const lines = await run('export', 'jsonl', '--what', 'documents', '--query', 'two');
    assert.deepEqual([JSON.parse(lines.stdout).title, lines.stderr.trim().split(',')[0]], ['Two', '1 row']);
    const wrong = await run('export', 'csv', '--what', 'pages', '--brand', 'x', '--out', join(folder, 'no.csv'));
    assert.deepEqual([wrong.code, existsSync(join(folder, 'no.csv'))], [2, false], wrong.stderr);
    assert.equal((await run('export', 'xml')).code, 2);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    );
    // The site is as it was: nothing in the archive is newer.
    const again = await run('import', out, '--json');
    assert.equal(again.code, 0, again.stderr);
    const { taken, refused } = JSON.parse(again.stdout);
    assert.deepEqual([taken, refused.NOT_NEWER.count], [0, 2]);
    await database.query('TRUNCATE pages, documents CASCADE');
    const back = await run('import', out, '--tags', 'old', '--json');
    assert.equal(back.code, 0, back.stderr);
    assert.deepEqual([JSON.parse(back.stdout).taken, JSON.parse(back.stdout).crawl.pages_crawled], [2, 2]);
    const none = await run('import', join(folder, 'none.warc'));
    assert.deepEqual([none.code, none.stderr.includes('cannot be read')], [2, true]);
    clean(none);
  });

  it('what a crawl could not fetch is told with its reason', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const address = `http://127.0.0.1:${port}/`;
    const outcome = await runCommand(['crawl', address], {
      ...env,
      GUARD__ALLOW: address,
      JOB__RETRY_DELAYS_S: '0.02',
    });
    assert.equal(outcome.code, 3, outcome.stderr);
    assert.match(outcome.stderr, /could be fetched: .*ECONNREFUSED/);
    clean(outcome);
  });

  it('doctor masks secrets, and names an engine that does not answer', async () => {
    const outcome = await runCommand(['doctor', '--json'], {
      DATA_DIR: folder,
      DATABASE__POSTGRES_URL: 'postgres://user:s3cret@127.0.0.1:1/none',
    });
    assert.equal(outcome.code, 1);
    assert.ok(!outcome.stdout.includes('s3cret') && !outcome.stderr.includes('s3cret'));
    const report = JSON.parse(outcome.stdout);
    assert.equal(report.engines[0].status, 'down');
    assert.match(report.engines[0].detail, /DATABASE_DOWN/);
    clean(outcome);
  });

  it('a server that runs for the data folder is asked', async () => {
    await using api = await createTestApi();
    const { origin: server } = await listen(api.server, { host: '127.0.0.1', port: 0 });
    const there = mkdtempSync(join(folder, 'server-'));
    writeServerFile(there, { origin: server, pid: process.pid, key: api.keys.admin });
    const ask = (...args: string[]) =>
      runCommand(args, { DATA_DIR: there, DATABASE__POSTGRES_URL: 'postgres://127.0.0.1:1/none' });
    assert.equal(JSON.parse((await ask('status', '--json')).stdout).origin, server);
    const made = await ask('keys', 'create', 'one', '--scopes', 'read');
    assert.match(made.stdout, /^c4r_\S+\n$/);
    const list = async () => JSON.parse((await ask('keys', '--json')).stdout) as { id: string; name: string }[];
    const key = (await list()).find(({ name }) => name === 'one');
    const { id: collection } = await api.ok('POST', '/collections', { name: 'given away' }, 201);
    const set = async (...options: string[]) =>
      JSON.parse((await ask('keys', 'set', key!.id, ...options, '--json')).stdout);
    const changed = await set(
      '--collections',
      collection,
      '--max-pages-per-day',
      '50',
      '--expires',
      '2099-01-01T00:00:00Z',
    );
    assert.deepEqual(
      [changed.collections, changed.max_pages_per_day, changed.expires_at],
      [[collection], 50, '2099-01-01T00:00:00.000Z'],
    );
    const back = await set(
      '--collections',
      'all',
      '--max-pages-per-day',
      'default',
      '--expires',
      'never',
      '--active',
      'false',
    );
    assert.deepEqual(
      [back.collections, back.max_pages_per_day, back.expires_at, back.is_active],
      [[], null, null, false],
    );
    assert.equal((await ask('keys', 'revoke', key!.id)).code, 0);
    assert.ok((await list()).every(({ name }) => name !== 'one'));
    const link = await ask('keys', 'login-link');
    assert.ok(link.stdout.startsWith(`${server}/login#token=`), link.stderr);
  });
});
