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
    // The name in brackets may hold spaces and brackets itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}

/** A process and everything below it. */
function readTree(root: number): Map<number, Stat> {
  const all = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat !== undefined) all.set(Number(name), stat);
  }
  const tree = new Map<number, Stat>();
  const belongs = (pid: number): boolean =>
    pid === root || (all.has(pid) && all.get(pid)!.parent > 1 && belongs(all.get(pid)!.parent));
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

/** Watches a process and everything below it from now on. */
export function startMeter(root: number, everyMs = 200): Meter {
  const atStart = new Map<number, number>();
  const latest = new Map<number, Stat>();
  let peakKb = 0;

  function look(): void {
    const tree = readTree(root);
    let kb = 0;
    for (const [pid, stat] of tree) {
      latest.set(pid, stat);
      kb += readMemoryKb(pid);
    }
    peakKb = Math.max(peakKb, kb);
    for (const [pid, { parent }] of latest) {
      if (tree.has(pid) || !tree.has(parent)) continue;
      // A child that is gone is in its parent's count, with what it had used before the start.
      atStart.set(parent, (atStart.get(parent) ?? 0) + (atStart.get(pid) ?? 0));
      atStart.delete(pid);
      latest.delete(pid);
    }
  }

  look();
  for (const [pid, { ticks }] of latest) atStart.set(pid, ticks);
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      let used = 0;
      for (const [pid, { ticks }] of latest) used += ticks - (atStart.get(pid) ?? 0);
      return { cpu_seconds: used / TICKS_PER_SECOND, peak_rss_mb: Math.round(peakKb / 102.4) / 10 };
    },
  };
}
