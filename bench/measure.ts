import { readdirSync, readFileSync } from 'node:fs';

/**
 * What a tree of processes costs. CPU time counts children that have ended, as far as their parent waited for them.
 * Memory is the sum of proportional set sizes: pages that processes share, such as a database's buffers, count once.
 */
export interface Cost {
  cpu_seconds: number;
  peak_rss_mb: number;
}

const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  /** Own and waited-for children's time, in clock ticks. */
  ticks: number;
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may hold blanks and brackets itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}

/** The roots and everything below them. */
function readTree(roots: readonly number[]): Map<number, Stat> {
  const all = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat !== undefined) all.set(Number(name), stat);
  }
  const tree = new Map<number, Stat>();
  const belongs = (pid: number): boolean =>
    roots.includes(pid) || (all.has(pid) && all.get(pid)!.parent > 1 && belongs(all.get(pid)!.parent));
  for (const [pid, stat] of all) if (belongs(pid)) tree.set(pid, stat);
  return tree;
}

function readMemoryKb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss: +(\d+)/m.exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export interface Meter {
  /** Cost since the meter was started. */
  stop(): Cost;
}

/**
 * Watches process trees from now on. `findRoots` is asked again at every look, since a database may be started by
 * what is measured without being its child.
 */
export function startMeter(findRoots: () => number[], everyMs = 200): Meter {
  const before = new Map<number, number>();
  const latest = new Map<number, number>();
  let peakKb = 0;

  function look(first: boolean): void {
    const tree = readTree(findRoots());
    let kb = 0;
    for (const [pid, { ticks }] of tree) {
      // A process that appears later did all its work since the meter was started.
      if (!before.has(pid)) before.set(pid, first ? ticks : 0);
      latest.set(pid, ticks);
      kb += readMemoryKb(pid);
    }
    // What a child used is in its parent's count once it is gone.
    for (const pid of latest.keys()) if (!tree.has(pid)) forgetWaitedFor(pid, tree);
    peakKb = Math.max(peakKb, kb);
  }

  const parents = new Map<number, number>();
  function forgetWaitedFor(pid: number, tree: Map<number, Stat>): void {
    const parent = parents.get(pid);
    if (parent === undefined || !tree.has(parent)) return;
    // The parent now reports all of the child's time; what the child had before the start must not count.
    before.set(parent, (before.get(parent) ?? 0) + (before.get(pid) ?? 0));
    latest.delete(pid);
    before.delete(pid);
  }
  const remember = () => {
    for (const [pid, { parent }] of readTree(findRoots())) parents.set(pid, parent);
  };

  remember();
  look(true);
  const timer = setInterval(() => {
    look(false);
    remember();
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look(false);
      let ticks = 0;
      for (const [pid, last] of latest) ticks += last - (before.get(pid) ?? 0);
      return { cpu_seconds: ticks / TICKS_PER_SECOND, peak_rss_mb: Math.round(peakKb / 102.4) / 10 };
    },
  };
}
