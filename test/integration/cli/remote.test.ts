import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { App } from '../../../src/app.ts';
import { createApp } from '../../../src/app.ts';
import { loadSettings } from '../../../src/config/load.ts';
import type { AppError } from '../../../src/errors.ts';
import { createApiKey } from '../../../src/operations/access/create-api-key.ts';
import type { Database } from '../../../src/ports/database.ts';
import { runEngine } from '../../../src/roles/engine.ts';
import { COMMAND_HELP } from '../../../src/surfaces/cli/command-help.ts';
import { openRemote } from '../../../src/surfaces/cli/connect.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createServer } from '../../../src/surfaces/http/server.ts';
import { type CommandOutcome, runCommand } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';
import { certificate } from '../../support/http-fetcher.ts';
import { freePort } from '../../support/instance.ts';
import { startWebServer } from '../../support/web-server.ts';

const PAGES: Record<string, string> = {
  '/': '<title>Start</title><main><h1>Start</h1><p>A page about lighthouses and the sea around them.</p><a href="/two">Two</a></main>',
  '/two':
    '<title>Two</title><main><h1>Two</h1><p>Another page, about harbours, ferries and the people who wait for them.</p></main>',
};

/** A command that works on this machine would fail: there is no database, and no folder. */
const NOTHING_HERE = { DATA_DIR: '/nonexistent', DATABASE__POSTGRES_URL: 'postgres://127.0.0.1:1/none' };

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const open = async <Some extends Server>(server: Some): Promise<Some> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

describe('commands on a server elsewhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-remote-'));
  const stop = new AbortController();
  let site: Server;
  let database: Database;
  let app: App;
  let work: Promise<unknown>;
  let close: () => Promise<void>;
  let server: string;
  let key: string;
  before(async () => {
    site = await open(
      createHttpServer((request, response) => {
        if (request.url === '/robots.txt') return void response.end('');
        const body = PAGES[request.url ?? ''];
        response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' });
        response.end(`<html lang="en">${body ?? ''}</html>`);
      }),
    );
    database = await createTestDatabase();
    const { settings } = loadSettings({
      APP_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATA_DIR: join(folder, 'data'),
      DATABASE__POSTGRES_URL: database.url,
      GUARD__ALLOW: originOf(site),
      RATE_LIMIT__DEFAULT_RPS: '50',
      FULLTEXT__DRIVER: 'postgres',
      EMBEDDER__YIELDS: 'false',
    });
    app = await createApp(settings);
    const http = createServer(app);
    server = (await listen(http, { host: '127.0.0.1', port: 0 })).origin;
    close = () => http.close();
    key = (await createApiKey(app, { name: 'far', scopes: ['admin'], rate_limit_rpm: 100_000 })).key;
    work = runEngine(app, stop.signal);
  });
  after(async () => {
    stop.abort();
    await work;
    await close();
    await app[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    site.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const env = () => ({ ...NOTHING_HERE, HOME: folder });
  const run = (...args: string[]) => runCommand(['--server', server, '--key', key, ...args], env());
  const good = (outcome: CommandOutcome) => {
    assert.equal(outcome.code, 0, outcome.stderr);
    return outcome.stdout;
  };

  it('crawl waits for it there, and search finds it', async () => {
    const out = join(folder, 'pages.jsonl');
    const crawl = await run('crawl', originOf(site), '--depth', '1', '--out', out);
    assert.deepEqual(good(crawl).trim().split('\n').sort(), [
      `${originOf(site)}/\tStart`,
      `${originOf(site)}/two\tTwo`,
    ]);
    assert.match(crawl.stderr, new RegExp(`crawl \\S+ on ${server}`));
    assert.equal(readFileSync(out, 'utf8').trim().split('\n').length, 2);
    const status = JSON.parse(good(await run('status', '--json')));
    assert.deepEqual([status.origin, status.crawls.length], [server, 1]);
    const tasks = good(await run('tasks', '--status', 'completed', '--json'));
    assert.equal(tasks.trim().split('\n').length, 2);
    const found = JSON.parse(good(await run('search', 'lighthouses', '--mode', 'keyword', '--json')));
    assert.equal(found.results[0]?.url, `${originOf(site)}/`);
  });

  it('scrape and map are done there, with the same output as here', async () => {
    const here = { ...env(), GUARD__ALLOW: originOf(site) };
    for (const format of ['json', 'html'])
      assert.equal(
        good(await run('scrape', originOf(site), '--format', format)),
        good(await runCommand(['scrape', originOf(site), '--format', format], here)),
      );
    const missing = await run('scrape', `${originOf(site)}/missing`);
    assert.match(missing.stderr, /HTTP_4XX/);
    assert.equal(
      good(await run('map', originOf(site), '--source', 'links', '--json')),
      good(await runCommand(['map', originOf(site), '--source', 'links', '--json'], here)),
    );
  });

  it('keys, domains and doctor work there too', async () => {
    const made = good(await run('keys', 'create', 'reader', '--scopes', 'read')).trim();
    assert.match(made, /^c4r_/);
    const reader = await runCommand(['domains', 'block', 'example.com'], {
      ...env(),
      CRAWL4R_SERVER: server,
      CRAWL4R_KEY: made,
    });
    assert.equal(reader.code, 1);
    assert.match(reader.stderr, /FORBIDDEN/);
    const doctor = await run('doctor', '--json');
    const report = JSON.parse(good(doctor));
    assert.deepEqual([report.ok, report.server.origin, report.caller], [true, server, 'far']);
    const link = good(await run('keys', 'login-link'));
    assert.ok(link.startsWith(`${server}/login#token=`), link);
  });

  it('a profile keeps server and key, and shows the key to nobody', async () => {
    const config = join(folder, '.config/crawl4r/config.json');
    const profiles = (...args: string[]) => runCommand(['profiles', ...args], env());
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, '../../../src/main.ts'),
        ...['profiles', 'add', 'far', '--server', `${server}/`, '--key', '-'],
      ],
      { env: { PATH: process.env.PATH, ...env() }, stdio: ['pipe', 'ignore', 'ignore'] },
    );
    child.stdin.end(`${key}\n`);
    assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 0);
    assert.deepEqual(JSON.parse(readFileSync(config, 'utf8')).profiles.far, { server, key });
    const listed = await profiles('list', '--json');
    assert.deepEqual(JSON.parse(good(listed)), [{ name: 'far', server, has_key: true, current: false }]);
    good(await profiles('use', 'far'));
    const shown = await profiles('list');
    assert.ok(!`${shown.stdout}${shown.stderr}${listed.stdout}`.includes(key));
    assert.equal(JSON.parse(good(await runCommand(['status', '--json'], env()))).origin, server);
    chmodSync(config, 0o644);
    const open = await runCommand(['status'], env());
    assert.match(open.stderr, /can be read by other users .*CONFIG_INVALID\)\n {2}Close it with: chmod 600/);
    chmodSync(config, 0o600);
    good(await profiles('use', 'local'));
    assert.match((await runCommand(['status'], env())).stderr, /DATA_DIR_UNUSABLE|DATABASE_DOWN/);
    good(await profiles('remove', 'far'));
    assert.deepEqual(JSON.parse(readFileSync(config, 'utf8')), { profiles: {} });
  });

  it('a profile whose server or key does not work is not kept', async () => {
    const added = await runCommand(['profiles', 'add', 'bad', '--server', server, '--key', 'c4r_wrong'], env());
    assert.match(added.stderr, /AUTH_REQUIRED/);
    assert.doesNotMatch(good(await runCommand(['profiles', 'list'], env())), /bad/);
  });

  it('what works on this machine says so, and does nothing', async () => {
    for (const [command, ...args] of [['up'], ['try', 'url']]) {
      const outcome = await run(command!, ...args);
      assert.equal(outcome.code, 2, command);
      assert.match(outcome.stderr, /works on this machine and its own files/);
    }
    for (const name of ['api', 'worker', 'demo', 'migrate', 'secrets', 'bench'])
      assert.equal(COMMAND_HELP[name]?.local, true, name);
  });
});

describe('a server that cannot be used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-unusable-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const says = async (server: string, code: string, message: RegExp) =>
    assert.rejects(openRemote({ server, key: 'c4r_x', from: 'option' }), (error: AppError) => {
      assert.deepEqual([error.code, typeof error.hint], [code, 'string'], error.message);
      assert.match(error.message, message);
      return true;
    });

  it('is no address', async () => {
    await says('example.com', 'URL_INVALID', /is not the address of a server/);
    await says('https://user:s3cret@example.com', 'URL_INVALID', /^((?!s3cret).)*$/);
  });
  it('does not run', async () =>
    says(`http://127.0.0.1:${await freePort()}`, 'CONNECT_FAILED', /does not answer: .*ECONNREFUSED/));
  it('is no host', () => says('http://nowhere.invalid', 'DNS_FAILED', /no host "nowhere.invalid"/));

  for (const [name, status, headers, body, message] of [
    ['a page', 200, { 'content-type': 'text/html' }, '<html>', /is not crawl4r/],
    ['nothing at this address', 404, {}, 'no', /is not crawl4r/],
    ['another API', 200, { 'content-type': 'application/json' }, '{"hello": 1}', /is not crawl4r/],
    ['a redirect', 301, { location: 'https://other.example/' }, '', /another address: https:\/\/other.example/],
  ] as const)
    it(`is another program: ${name}`, async () => {
      await using other = await startWebServer((_, response) => response.writeHead(status, headers).end(body));
      await says(other.origin, 'NOT_CRAWL4R', message);
    });

  it('prints the error as every command does', async () => {
    const outcome = await runCommand(['status', '--json', '--key', 'x'], { ...NOTHING_HERE, HOME: folder });
    assert.deepEqual([outcome.code, outcome.stdout], [2, '']);
    const { code, error, hint } = JSON.parse(outcome.stderr);
    assert.deepEqual([code, error], ['USAGE', '--key is for a server, and none is named']);
    assert.match(hint, /--server URL/);
  });

  it('has a certificate that is not valid', async (context) => {
    const tls = createHttpsServer(certificate, (_, response) =>
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error": "no", "code": "AUTH_REQUIRED"}'),
    );
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    context.after(() => tls.close());
    const server = `https://127.0.0.1:${(tls.address() as AddressInfo).port}`;
    await says(server, 'TLS_FAILED', /no safe connection/);
    await says(server.replace('https', 'http'), 'CONNECT_FAILED', /does not answer/);
    // With the authority the hint names, the connection is made.
    const known = await runCommand(['status', '--server', server], {
      ...NOTHING_HERE,
      HOME: folder,
      NODE_EXTRA_CA_CERTS: join(import.meta.dirname, '../../support/fixtures/tls-cert.pem'),
    });
    assert.match(known.stderr, /does not take this key: no \(AUTH_REQUIRED\)\n {2}Give one that works: --key/);
  });
});
