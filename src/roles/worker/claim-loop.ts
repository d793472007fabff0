import type { App } from '../../app.ts';
import type { Bell } from '../../bell.ts';
import { toAppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { HeldTask, HeldTasks } from './held-tasks.ts';
import type { Supply } from './supply.ts';

/** This share of the worker's places must be free before it claims: large claims cost less than many small ones. */
const CLAIM_SHARE = 0.25;

interface ClaimLoopDeps {
  app: App;
  log: Log;
  held: HeldTasks;
  supply: Supply;
  bell: Bell;
  /** Runs a task that was claimed; never rejects. */
  work(held: HeldTask): Promise<void>;
  /** Milliseconds until the worker may claim again after it could not store. */
  restMs(): number;
}

/** Claims tasks whenever places are free, until `signal` aborts. What it has claimed by then is left to the caller. */
export async function runClaimLoop(deps: ClaimLoopDeps, signal: AbortSignal): Promise<void> {
  const { app, held, bell, log } = deps;
  const { inFlight, pollMs } = app.settings.worker;
  const refill = app.dispatch.brokered ? takeDelivered : takeNext;
  while (!signal.aborted) {
    try {
      const restMs = deps.restMs();
      if (restMs > 0) await bell.wait(restMs);
      else if (held.freePlaces < inFlight * CLAIM_SHARE) await bell.wait(pollMs);
      else await refill(deps, signal);
    } catch (error) {
      log.warn('claim_failed', { error: toAppError(error).message });
      await bell.wait(pollMs);
    }
  }
}

async function claim({ held, supply, work }: ClaimLoopDeps, ids?: readonly string[]): Promise<number> {
  const taken = await supply.claim(held.freePlaces, ids);
  for (const mine of taken) {
    held.add(mine);
    void work(mine);
  }
  return taken.length;
}

/**
 * Where the database delivers: takes by the frontier's own rule; when there is nothing, waits for an announcement, a
 * stored page, the next domain's time, or the poll.
 */
async function takeNext(deps: ClaimLoopDeps): Promise<void> {
  if ((await claim(deps)) > 0) return;
  const { app, supply, bell } = deps;
  const { dispatch, settings } = app;
  const waitMs = Math.min(settings.worker.pollMs, await supply.waitMs());
  if (waitMs === 0) return;
  await bell.waitOr(async (stopped) => {
    const delivery = await dispatch.receive(supply.work, settings.worker.inFlight, waitMs, stopped);
    await delivery?.settle();
  }, waitMs);
}

/**
 * Where a broker delivers: takes what it is given, and nothing else. A delivery is settled when its claims are committed.
 * Only when none came for a whole poll does it look for itself: the broker may have lost some.
 */
async function takeDelivered(deps: ClaimLoopDeps, signal: AbortSignal): Promise<void> {
  const { app, held, supply } = deps;
  const delivery = await app.dispatch.receive(supply.work, held.freePlaces, app.settings.worker.pollMs, signal);
  if (signal.aborted) return;
  await claim(deps, delivery?.ids);
  await delivery?.settle();
}
