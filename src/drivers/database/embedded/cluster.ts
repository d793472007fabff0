import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderError } from '../../../config/data-folder.ts';
import { AppError } from '../../../errors.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Layout } from './folder.ts';
import type { ServerTuning } from './options.ts';
import { runEnv } from './process.ts';

export const SUPERUSER = 'crawl4r';
const MAJOR = '18';
const DRAFT = 'cluster.new-';
// An initdb whose starter was killed may still write for a moment.
const REMOVE = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

/**
 * Makes the database cluster where there is none. It is made beside its place and then renamed, so a run that was
 * killed half way leaves a draft to throw away and never a cluster that does not start.
 */
export async function prepareCluster(
  layout: Layout,
  account: Account,
  binaries: Binaries,
  { durable }: ServerTuning,
): Promise<void> {
  for (const name of readdirSync(layout.root)) if (name.startsWith(DRAFT)) rmSync(join(layout.root, name), REMOVE);
  if (existsSync(layout.cluster)) {
    checkVersion(layout);
    // A folder that was copied or restored has often lost these, and the server insists on them.
    chmodSync(layout.cluster, 0o700);
    return;
  }
  const draft = join(layout.root, `${DRAFT}${randomUUID()}`);
  mkdirSync(draft, { mode: 0o700 });
  account.own(draft);
  try {
    await runInitdb(layout, draft, account, binaries, durable ? [] : ['--no-sync']);
    renameSync(draft, layout.cluster);
  } catch (error) {
    rmSync(draft, REMOVE);
    throw error;
  }
}

function checkVersion(layout: Layout): void {
  const file = join(layout.cluster, 'PG_VERSION');
  const version = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown';
  if (version === MAJOR) return;
  throw new AppError('DATA_DIR_UNUSABLE', `${layout.root} holds a PostgreSQL ${version} database, not ${MAJOR}`, {
    hint: 'Start the version that made it, or choose another DATA_DIR.',
  });
}

async function runInitdb(
  layout: Layout,
  draft: string,
  account: Account,
  binaries: Binaries,
  flags: string[],
): Promise<void> {
  const { program, args, options } = account.command(binaries.initdb, [
    ...['-D', draft, '--username', SUPERUSER, '--auth', 'trust', '--encoding', 'UTF8', '--no-instructions'],
    ...flags,
    // The same order of text on every machine, whatever languages it has installed.
    ...['--locale-provider', 'builtin', '--locale', 'C', '--builtin-locale', 'C.UTF-8'],
  ]);
  const child = spawn(program, args, {
    ...options,
    cwd: '/',
    env: { ...runEnv, ...binaries.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  child.stderr?.on('data', (text) => (output += text));
  const status = await new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', done);
  }).catch((cause) => {
    throw new AppError('DATABASE_MISSING', `PostgreSQL cannot be run: ${(cause as Error).message}`, { cause });
  });
  if (status !== 0) throw explainFailure(layout.root, output);
}

/** Turns what the server printed before it gave up into one sentence. */
export function explainFailure(folder: string, output: string): AppError {
  const cause = new Error(output.trim().slice(-2_000));
  if (/no space left|disk quota/i.test(output)) return folderError(folder, Object.assign(cause, { code: 'ENOSPC' }));
  if (/permission denied|read-only file system/i.test(output))
    return folderError(folder, Object.assign(cause, { code: 'EACCES' }));
  if (/shared libraries|library not loaded/i.test(output))
    return new AppError('DATABASE_MISSING', 'PostgreSQL does not run on this system: a library is missing', { cause });
  const line = output.match(/(?:FATAL|PANIC|error): +(.*)/i)?.[1] ?? output.trim().split('\n').at(-1) ?? '';
  return new AppError('DATA_DIR_UNUSABLE', `PostgreSQL did not start in ${folder}: ${line}`, { cause });
}
