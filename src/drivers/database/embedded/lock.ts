import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, processStart, sleep } from './process.ts';

/**
 * Runs `work` while no other process of ours runs under the same lock file. The file names its holder; a lock whose
 * holder is gone (killed, or before a reboot) is taken over.
 */
export async function withLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const mine = `${path}.${randomUUID()}`;
  writeFileSync(mine, `${process.pid} ${processStart(process.pid)} ${mine}`);
  try {
    const deadline = performance.now() + waitMs;
    while (!tryTake(path, mine)) {
      if (performance.now() > deadline) throw new Error(`the lock ${path} is held by process ${readHolder(path)}`);
      await sleep(15 + Math.random() * 15);
    }
    try {
      return await work();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

// A link appears whole or not at all, so no reader sees half of it.
function tryTake(path: string, mine: string): boolean {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = read(path);
  if (holder === undefined) return false;
  const [pid, started] = holder.split(' ');
  if (isAlive(Number(pid), started ?? '')) return false;
  removeStale(path, mine, holder);
  return false;
}

// Two processes may find the same stale lock: only what is still that very lock may go.
function removeStale(path: string, mine: string, stale: string): void {
  const aside = `${mine}.stale`;
  try {
    renameSync(path, aside);
    if (read(aside) !== stale) linkSync(aside, path);
  } catch {
    // Another process was quicker.
  } finally {
    rmSync(aside, { force: true });
  }
}

const readHolder = (path: string) => read(path)?.split(' ')[0] ?? 'unknown';

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
