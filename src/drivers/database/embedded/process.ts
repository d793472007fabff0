import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * When a process started, as an opaque string; undefined when it is gone. A pid alone is not unique: it is given to
 * another process sooner or later, most of all after a reboot.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch {
      return undefined;
    }
  }
  const found = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim();
  return found === '' ? undefined : found;
}

export const isAlive = (pid: number, started: string): boolean => processStart(pid) === started;

/** True when `pid` is a PostgreSQL server that runs on `folder`, and not some other process that got the same pid. */
export function isServerOf(pid: number, folder: string): boolean {
  if (processStart(pid) === undefined) return false;
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      // Another account's process: its command line is still readable.
      return readCommand(pid).includes(folder);
    }
  }
  const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  return command.includes(folder);
}

/** Whether any process still works in `folder`: children of a server that was killed outlive it by a moment. */
export function isInUse(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** What the server and its helpers see of the environment: nothing of ours leaks into them, nor do they depend on it. */
export const runEnv = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', TZ: 'UTC', LC_ALL: 'C' };

export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
