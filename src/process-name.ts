import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** `host/pid/birth` of this process: it distinguishes what this process leaves in the database from what others leave there. */
export const processName = (): string => `${hostname()}/${process.pid}/${birthOf(process.pid)}`;

/** Whether this names a process of this machine that is gone. What other machines run is not known here. */
export function isGone(name: string): boolean {
  const [host, pid, birth] = name.split('/');
  return host === hostname() && birthOf(Number(pid)) !== birth;
}

/** When a process began, as the kernel counts it: distinguishes it from a later one with the same pid. '' when there is none. */
export function birthOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    try {
      process.kill(pid, 0);
      return process.platform === 'linux' ? '' : 'alive';
    } catch {
      return '';
    }
  }
}
