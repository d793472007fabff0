import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../config/data-folder.ts';
import { SOCKET_PORT } from './options.ts';

/** Where things are inside our part of the data folder. */
export interface Layout {
  root: string;
  cluster: string;
  members: string;
  links: string;
  lock: string;
  log: string;
  pidFile: string;
  watchdog: string;
}

/** Kernels cut socket paths off: at 107 bytes on Linux, 103 on macOS. */
const MAX_SOCKET_PATH = 103;

export function prepareFolder(folder: string): Layout {
  makeFolder(folder);
  makeFolder(join(folder, 'members'));
  const root = realpathSync(folder);
  const cluster = join(root, 'cluster');
  return {
    root,
    cluster,
    members: join(root, 'members'),
    links: join(root, 'links'),
    lock: join(root, 'lock'),
    log: join(root, 'server.log'),
    pidFile: join(cluster, 'postmaster.pid'),
    watchdog: join(root, 'watchdog'),
  };
}

/**
 * The folder of the server's socket. Only its owner may enter it, which is why the socket needs no password. Where
 * the data folder's path is too long for a socket, a temporary folder serves, and `socket` in the data folder says which.
 */
export function prepareSocketFolder({ root }: Layout, own: (path: string) => void): string {
  const near = join(root, 'run');
  const far = join(root, 'socket');
  let chosen = near;
  if (Buffer.byteLength(socketPath(near)) > MAX_SOCKET_PATH) {
    const known = existsSync(far) ? readFileSync(far, 'utf8').trim() : '';
    const base = Buffer.byteLength(socketPath(join(tmpdir(), 'c4r-XXXXXX'))) > MAX_SOCKET_PATH ? '/tmp' : tmpdir();
    chosen = known !== '' && existsSync(known) ? known : mkdtempSync(join(base, 'c4r-'));
    writeFileSync(far, chosen);
  }
  mkdirSync(chosen, { recursive: true });
  chmodSync(chosen, 0o700);
  own(chosen);
  return chosen;
}

/** Takes away a temporary socket folder; the one inside the data folder stays. */
export function removeSocketFolder({ root }: Layout): void {
  const far = join(root, 'socket');
  if (!existsSync(far)) return;
  rmSync(readFileSync(far, 'utf8').trim(), { recursive: true, force: true });
  rmSync(far, { force: true });
}

const socketPath = (folder: string) => join(folder, `.s.PGSQL.${SOCKET_PORT}`);
