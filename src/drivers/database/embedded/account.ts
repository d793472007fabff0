import { type SpawnOptions, spawnSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../../errors.ts';
import type { Binaries } from './binaries.ts';
import { runEnv } from './process.ts';

/**
 * The account under which the server runs. PostgreSQL refuses root, so root has two ways: a user namespace in which root looks
 * like an ordinary user (files stay root's own), or, where namespaces are forbidden, another user id.
 */
export interface Account {
  command(program: string, args: string[]): { program: string; args: string[]; options: SpawnOptions };
  /** Gives a file or folder, with all that is in it, to the account. */
  own(path: string): void;
}

const NOBODY = 65_534;
const NAMESPACE = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

export function chooseAccount(folder: string, cluster: string, binaries: Binaries): Account {
  if (process.getuid?.() !== 0) return self;
  const owner = ownerOf(cluster);
  const candidates =
    owner !== undefined && owner.uid !== 0 ? [as(owner)] : [namespace, as({ uid: NOBODY, gid: NOBODY })];
  const usable = candidates.find((account) => {
    if (account !== namespace) letThrough(folder);
    return canRun(account, folder, binaries);
  });
  if (usable !== undefined) return usable;
  throw new AppError('DATA_DIR_UNUSABLE', `PostgreSQL does not run as root, and no other account can use ${folder}`, {
    hint: 'Start as a normal user, allow user namespaces, or put DATA_DIR and this clone where user 65534 can reach them.',
  });
}

const self: Account = {
  command: (program, args) => ({ program, args, options: {} }),
  own: () => {},
};

const namespace: Account = {
  command: (program, args) => ({ program: 'unshare', args: [...NAMESPACE, program, ...args], options: {} }),
  own: () => {},
};

const as = ({ uid, gid }: { uid: number; gid: number }): Account => ({
  command: (program, args) => ({ program, args, options: { uid, gid } }),
  own: (path) => void spawnSync('chown', ['-R', `${uid}:${gid}`, path], { env: runEnv, stdio: 'ignore' }),
});

/** Another user id must be able to pass through the data folder; it cannot list it, nor read what is beside its own. */
function letThrough(folder: string): void {
  for (const path of [folder, dirname(folder)]) {
    const { mode } = statSync(path);
    if ((mode & 0o011) !== 0o011) chmodSync(path, mode | 0o011);
  }
}

function ownerOf(path: string): { uid: number; gid: number } | undefined {
  try {
    const { uid, gid } = statSync(path);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

function canRun(account: Account, folder: string, binaries: Binaries): boolean {
  const reach = account.command('sh', ['-c', 'cd "$1" && "$2" --version', 'sh', folder, binaries.postgres]);
  const env = { ...runEnv, ...binaries.env };
  return spawnSync(reach.program, reach.args, { ...reach.options, env, stdio: 'ignore', timeout: 10_000 }).status === 0;
}
