import { performance } from 'node:perf_hooks';

/** A look at the event loop takes at most so long. */
const LOOK_MS = 25;
/** From this share of use by other work on, the event loop counts as busy. */
const BUSY = 0.5;
/** While it is busy, indexing takes one part in so many. */
const SHARE = 4;
const MAX_PAUSE_MS = 500;

/**
 * Called after a piece of bulk work that took `workedMs` on the event loop: lets other work run first. Checks for a moment
 * whether anything else runs; if so, pauses for three times as long as it worked, so that a crawl in the same
 * process keeps most of its speed. Where nothing else runs it costs that one check.
 */
export async function giveWay(workedMs: number, pause: (ms: number) => Promise<void>): Promise<void> {
  const before = performance.eventLoopUtilization();
  const look = Math.min(LOOK_MS, workedMs);
  await pause(look);
  if (performance.eventLoopUtilization(before).utilization < BUSY) return;
  await pause(Math.min(MAX_PAUSE_MS, workedMs * (SHARE - 1) - look));
}
