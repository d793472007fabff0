import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isServerOf } from '../../src/drivers/database/embedded/process.ts';
import { createEmbeddedDatabase } from '../../src/drivers/database/embedded.ts';

interface Held {
  child: ChildProcessWithoutNullStreams;
  server: number;
  url: string;
  uid: number;
  code?: string;
  message?: string;
}

const HOLD = join(import.meta.dirname, '../support/hold-database.ts');
const isRoot = process.getuid?.() === 0;

function spawnHolder(dataDir: string, prefix: string[] = [], watchdogS = 60): ChildProcessWithoutNullStreams {
  const [program, ...args] = [...prefix, process.execPath, HOLD, dataDir, String(watchdogS)];
  return spawn(program!, args, { stdio: 'pipe' });
}

/** Another process of ours that has the database of `dataDir` open. */
async function hold(dataDir: string, prefix: string[] = [], watchdogS = 60): Promise<Held> {
  const child = spawnHolder(dataDir, prefix, watchdogS);
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  for await (const line of child.stdout) return { child, ...JSON.parse(String(line)) };
  throw new Error(`the process said nothing: ${errors}`);
}

async function end({ child, code, message }: Held): Promise<number | null> {
  assert.equal(code, undefined, message);
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  child.stdin.end();
  return ended;
}

async function kill({ child }: Pick<Held, 'child'>): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-embedded-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A folder whose cluster is already made, which takes a while: copied from one that was. */
async function withCluster(work: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    cpSync(await made, folder, { recursive: true });
    await work(folder);
  });
}

let made: Promise<string>;
before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-embedded-'));
  made = hold(folder).then(async (held) => {
    await end(held);
    return folder;
  });
});
after(async () => rmSync(await made, { recursive: true, force: true }));

const clusterOf = (folder: string) => join(folder, 'postgres/cluster');
const runs = (pid: number, folder: string) => isServerOf(pid, clusterOf(folder));

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!holds()) {
    assert(performance.now() < deadline, 'it did not happen in time');
    await new Promise((done) => setTimeout(done, 20));
  }
}

test('two processes that start at once share one server, and the last to leave stops it', () =>
  withFolder(async (folder) => {
    const [one, two] = await Promise.all([hold(folder), hold(folder)]);
    assert.equal(one.server, two.server);
    assert.equal(await end(one), 0);
    assert(runs(two.server, folder));
    assert.equal(await end(two), 0);
    assert(!runs(two.server, folder));
  }));

test('what was committed is there after a stop and after a kill of everything', () =>
  withCluster(async (folder) => {
    const first = await createEmbeddedDatabase({ dataDir: folder });
    await first.query('CREATE TABLE kept (n int)');
    await first[Symbol.asyncDispose]();
    const held = await hold(folder);
    const second = await createEmbeddedDatabase({ dataDir: folder });
    await second.query('INSERT INTO kept VALUES (1)');
    process.kill(held.server, 'SIGKILL');
    await kill(held);
    // The pool meets the broken connection once; after that the server is started again by the next statement.
    await second.query('SELECT 1').catch((error) => assert.equal(error.code, 'DATABASE_DOWN'));
    assert.deepEqual(await second.query('SELECT n FROM kept'), [{ n: 1 }]);
    await second[Symbol.asyncDispose]();
  }));

test('a server whose process was killed is taken over by the next start', () =>
  withCluster(async (folder) => {
    const first = await hold(folder);
    await kill(first);
    const second = await hold(folder);
    assert.equal(second.server, first.server);
    await end(second);
    assert(!runs(first.server, folder));
  }));

test('a server that nobody takes over is stopped by its watchdog', () =>
  withCluster(async (folder) => {
    const held = await hold(folder, [], 1);
    await kill(held);
    await until(() => !runs(held.server, folder));
  }));

test('a pid file that names a living stranger does not stop a start', () =>
  withCluster(async (folder) => {
    await end(await hold(folder));
    writeFileSync(
      join(clusterOf(folder), 'postmaster.pid'),
      `${process.pid}\n${clusterOf(folder)}\n1\n5432\n\n\n\nready\n`,
    );
    const held = await hold(folder);
    assert(runs(held.server, folder));
    await end(held);
  }));

test('a start that is killed while it makes the cluster leaves nothing in the way', () =>
  withFolder(async (folder) => {
    const child = spawnHolder(folder);
    const root = join(folder, 'postgres');
    await until(() => existsSync(root) && readdirSync(root).some((name) => name.startsWith('cluster.new-')));
    await kill({ child });
    await end(await hold(folder));
    // The one that was cut off may have written on for a moment; what it left goes with the next start.
    const held = await hold(folder);
    assert(runs(held.server, folder));
    const drafts = readdirSync(root).filter((name) => name.startsWith('cluster.new-'));
    assert.deepEqual(drafts, []);
    await end(held);
  }));

test('a path too long for a socket gets a temporary one, which goes when the server stops', () =>
  withCluster(async (folder) => {
    const deep = join(folder, 'a-rather-long-name-'.repeat(6));
    mkdirSync(deep);
    renameSync(join(folder, 'postgres'), join(deep, 'postgres'));
    const held = await hold(deep);
    const socketFolder = new URL(held.url).searchParams.get('host')!;
    assert(socketFolder.startsWith(tmpdir()) && socketFolder.length < 60, socketFolder);
    await end(held);
    assert(!existsSync(socketFolder));
  }));

test('a folder that cannot be one is refused in plain words', () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, 'file'), '');
    const attempt = createEmbeddedDatabase({ dataDir: join(folder, 'file') });
    await assert.rejects(attempt, { code: 'DATA_DIR_UNUSABLE', message: /cannot be used/ });
    mkdirSync(clusterOf(folder), { recursive: true });
    writeFileSync(join(clusterOf(folder), 'PG_VERSION'), '12\n');
    await assert.rejects(createEmbeddedDatabase({ dataDir: folder }), {
      code: 'DATA_DIR_UNUSABLE',
      message: /PostgreSQL 12 database/,
    });
  }));

const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
/** What the tests below do as another user first of all: run this Node, and read a file of this clone. */
const probe = [process.execPath, '-e', `require('node:fs').readFileSync(${JSON.stringify(HOLD)})`];
const canSwitch = isRoot && spawnSync(asNobody[0]!, [...asNobody.slice(1), ...probe]).status === 0;
const switching = { skip: canSwitch ? false : 'needs root, setpriv and a clone another user can read' };

test('a normal user starts it, and is refused by a folder that is not theirs', switching, () =>
  withFolder(async (folder) => {
    const refused = await hold(folder, asNobody);
    assert.equal(refused.code, 'DATA_DIR_UNUSABLE');
    assert.match(refused.message!, /permission denied/);
    chmodSync(folder, 0o777);
    const held = await hold(folder, asNobody);
    assert.equal(held.uid, 65_534);
    assert(runs(held.server, folder));
    assert.equal(await end(held), 0);
  }),
);

test('root runs the server as the user a cluster belongs to', switching, () =>
  withCluster(async (folder) => {
    chmodSync(folder, 0o755);
    spawnSync('chown', ['-R', '65534:65534', clusterOf(folder)]);
    const held = await hold(folder);
    assert.equal(held.uid, 0);
    const owner = spawnSync('ps', ['-o', 'uid=', '-p', String(held.server)], { encoding: 'utf8' }).stdout.trim();
    assert.equal(owner, '65534');
    await end(held);
  }),
);
