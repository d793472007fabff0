import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { explainFailure } from './cluster.ts';
import type { Layout } from './folder.ts';
import { type ServerTuning, serverOptions } from './options.ts';
import { isInUse, isServerOf, processStart, runEnv } from './process.ts';

export interface RunningServer {
  pid: number;
  socketFolder: string;
}

// Long, because a server that crashed first replays what it had written ahead.
const START_MS = 180_000;
const STOP_MS = 60_000;
const MAX_LOG_BYTES = 5 * 1024 * 1024;

/**
 * The server that already runs on this cluster, once it takes connections. None: a pid file that a crash left behind is
 * removed, since the server takes any process of that pid, even a zombie, for its predecessor.
 */
export async function findServer(layout: Layout): Promise<RunningServer | undefined> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    const found = readPidFile(layout);
    if (found === undefined) return undefined;
    if (!isServerOf(found.pid, layout.cluster) && !isInUse(layout.cluster)) {
      rmSync(layout.pidFile, { force: true });
      return undefined;
    }
    if (found.status === 'ready' && isServerOf(found.pid, layout.cluster)) return found;
    await wait(20);
  }
  throw explainFailure(layout.root, 'FATAL: the server of this folder neither starts nor stops');
}

async function launch(
  layout: Layout,
  account: Account,
  binaries: Binaries,
  socketFolder: string,
  tuning: ServerTuning,
): Promise<RunningServer> {
  if (existsSync(layout.log) && statSync(layout.log).size > MAX_LOG_BYTES) renameSync(layout.log, `${layout.log}.1`);
  const log = openSync(layout.log, 'a', 0o600);
  const logStart = statSync(layout.log).size;
  const { program, args, options } = account.command(binaries.postgres, [
    ...['-D', layout.cluster],
    ...serverOptions(socketFolder, tuning),
  ]);
  // Detached: a Ctrl-C in our terminal is for us; the server is stopped when its last user has left.
  const child = spawn(program, args, {
    ...options,
    cwd: '/',
    env: { ...runEnv, ...binaries.env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  child.unref();
  let ended: string | undefined;
  child.on('error', (error) => (ended = `FATAL: ${error.message}`));
  child.on('exit', () => (ended ??= readLog(layout, logStart)));
  const deadline = performance.now() + START_MS;
  while (ended === undefined && performance.now() < deadline) {
    const found = readPidFile(layout);
    if (found?.pid === child.pid && found?.status === 'ready') return { pid: child.pid!, socketFolder };
    await wait(10);
  }
  throw explainFailure(layout.root, ended ?? 'FATAL: it did not take connections in time');
}

function readLog({ log }: Layout, from: number): string {
  try {
    return readFileSync(log, 'utf8').slice(from);
  } catch {
    return 'FATAL: it left no log';
  }
}

/** Starts the server, and once more while children of a killed one still hold its memory: they end by themselves. */
export async function startServer(...how: Parameters<typeof launch>): Promise<RunningServer> {
  const deadline = performance.now() + STOP_MS;
  for (;;) {
    try {
      return await launch(...how);
    } catch (error) {
      const printed = String(((error as Error).cause as Error | undefined)?.message);
      if (!/pre-existing shared memory|lock file "[^"]*" already exists/.test(printed) || performance.now() > deadline)
        throw error;
      await wait(100);
    }
  }
}

/** Fast shutdown: sessions are ended, everything is written, and the next start needs no recovery. */
export async function stopServer(layout: Layout): Promise<void> {
  const found = readPidFile(layout);
  if (found === undefined || !isServerOf(found.pid, layout.cluster)) return;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    kill(found.pid, signal);
    const deadline = performance.now() + STOP_MS / 3;
    while (performance.now() < deadline) {
      if (processStart(found.pid) === undefined) return;
      await wait(10);
    }
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended just now.
  }
}

// Lines of the pid file: pid, data folder, start time, port, socket folder, address, shared memory, status.
function readPidFile({ pidFile }: Layout): (RunningServer & { status: string }) | undefined {
  try {
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, socketFolder: lines[4] ?? '', status: (lines[7] ?? '').trim() } : undefined;
  } catch {
    return undefined;
  }
}
