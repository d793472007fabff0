import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** How often a process is looked at. It can grow by some hundred megabytes between two looks, hardly by more. */
const EVERY_MS = { linux: 50, other: 250 };

/**
 * Calls `onOver` once when the resident memory of a process goes over a limit: the heap that V8 limits is only a part
 * of it. Returns a function that ends the watch.
 */
export function watchResidentMemory(pid: number, maxMb: number, onOver: (mb: number) => void): () => void {
  let ended = false;
  let asking = false;
  const end = (): void => {
    ended = true;
    clearInterval(timer);
  };
  const look = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    const mb = await readResidentMb(pid);
    asking = false;
    if (ended || mb === undefined || mb <= maxMb) return;
    end();
    onOver(mb);
  };
  const timer = setInterval(() => void look(), process.platform === 'linux' ? EVERY_MS.linux : EVERY_MS.other);
  timer.unref();
  return end;
}

/** Undefined where the process is gone, or the system has neither /proc nor ps. */
async function readResidentMb(pid: number): Promise<number | undefined> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
    return toMb(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
  }
  if (process.platform === 'win32') return undefined;
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (_error, output) => resolve(toMb(output?.trim())));
  });
}

function toMb(kilobytes: string | undefined): number | undefined {
  return kilobytes === undefined || kilobytes === '' ? undefined : Number(kilobytes) / 1024;
}
