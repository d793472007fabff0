import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, chooseAccount } from '../../src/drivers/database/embedded/account.ts';
import { type Binaries, findBinaries } from '../../src/drivers/database/embedded/binaries.ts';

export interface PlainServer extends AsyncDisposable {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A PostgreSQL server that is not the embedded one: on a TCP port, with settings of its own. */
export async function createPlainServer(binaries?: Binaries): Promise<PlainServer> {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-plain-'));
  spawnSync('chmod', ['755', folder]);
  const programs = binaries ?? findBinaries(join(folder, 'links'));
  const cluster = join(folder, 'cluster');
  const account = chooseAccount(folder, cluster, programs);
  mkdirSync(cluster, { mode: 0o700 });
  account.own(cluster);
  const made = run(account, programs, programs.initdb, [
    '-D',
    cluster,
    '-U',
    'tester',
    '-A',
    'trust',
    '-N',
    '-E',
    'UTF8',
  ]);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await findFreePort();
  const options = ['-D', cluster, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', '', '-F'];
  let child: ReturnType<typeof spawn> | undefined;
  const server: PlainServer = {
    url: `postgresql://tester@127.0.0.1:${port}/postgres`,
    async start() {
      const { program, args, options: how } = account.command(programs.postgres, options);
      child = spawn(program, args, { ...how, env: { ...process.env, ...programs.env }, stdio: 'ignore', cwd: '/' });
    },
    async stop() {
      const running = child;
      child = undefined;
      if (running === undefined || running.exitCode !== null) return;
      const ended = new Promise((done) => running.once('exit', done));
      running.kill('SIGINT');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** The newest PostgreSQL a Debian package put on this machine, if any. */
export function findDebianBinaries(): Binaries | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter((major) => major >= 15)
    : [];
  if (versions.length === 0) return undefined;
  const bin = join(root, String(Math.max(...versions)), 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), env: {} };
}

function run(account: Account, programs: Binaries, name: string, list: string[]) {
  const { program, args, options } = account.command(name, list);
  return spawnSync(program, args, { ...options, env: { ...process.env, ...programs.env }, encoding: 'utf8', cwd: '/' });
}

function findFreePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
