import { performance } from 'node:perf_hooks';

/** A look at the event loop takes at most so long. */
const LOOK_MS = 25;
/** Share of the look in which others used the event loop, from which on it counts as wanted. */
const BUSY = 0.5;
/** Where it is wanted, indexing takes one part in so many. */
const SHARE = 4;
const MAX_PAUSE_MS = 500;

/**
 * Called after a piece of bulk work that took `workedMs` on the event loop: lets others have it first. Looks for a moment
 * whether anything else runs; if so, stays away for three times as long as it worked, so that a crawl in the same
 * process keeps most of its speed. Where nothing else runs it costs that one look.
 */
export async function giveWay(workedMs: number, pause: (ms: number) => Promise<void>): Promise<void> {
  const before = performance.eventLoopUtilization();
  const look = Math.min(LOOK_MS, workedMs);
  await pause(look);
  if (performance.eventLoopUtilization(before).utilization < BUSY) return;
  await pause(Math.min(MAX_PAUSE_MS, workedMs * (SHARE - 1) - look));
}
