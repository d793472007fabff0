import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Meter, startMeter } from './measure.ts';
import { stopProcess } from './start-process.ts';

export interface PeerFigures {
  pages: number;
  seconds: number;
  pages_per_second: number;
  pages_per_cpu_second: number;
  peak_rss_mb: number;
}

interface PeerOptions {
  script: string;
  origin: string;
  pages: number;
}

const FLAGS = ['--disable-warning=ExperimentalWarning'];
/** What `bin/crawl4r` starts with. */
const OUR_FLAGS = ['--max-semi-space-size=8'];
const OUR_ENV = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '4' };

/** Runs one crawler in a process of its own and measures it from outside, from the first request to the last result. */
export async function runPeerProcess({ script, origin, pages }: PeerOptions): Promise<PeerFigures> {
  const ours = script === 'ours.ts';
  const child = spawn(
    process.execPath,
    [...FLAGS, ...(ours ? OUR_FLAGS : []), join(import.meta.dirname, script), origin, String(pages)],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...(ours ? OUR_ENV : {}) } },
  );
  let meter: Meter | undefined;
  try {
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`${script} ended with ${code}`);
    });
    failed.catch(() => {});
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await Promise.race([lines.next(), failed])).value as string);
    await next();
    meter = startMeter(child.pid!);
    child.stdin!.write('go\n');
    const { pages: crawled, seconds } = (await next()) as { pages: number; seconds: number };
    const { cpu_seconds, peak_rss_mb } = meter.stop();
    return {
      pages: crawled,
      seconds: round(seconds),
      pages_per_second: round(crawled / seconds),
      pages_per_cpu_second: round(crawled / cpu_seconds),
      peak_rss_mb,
    };
  } finally {
    meter?.stop();
    // The end of its input lets it clean up behind itself.
    child.stdin!.end();
    if (child.exitCode === null) await Promise.race([once(child, 'exit'), sleep(30_000, undefined, { ref: false })]);
    await stopProcess(child);
  }
}

const round = (value: number) => Math.round(value * 100) / 100;
