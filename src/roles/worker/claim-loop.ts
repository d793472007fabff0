import type { App } from '../../app.ts';
import type { Bell } from '../../bell.ts';
import { notifyCrawls } from '../../db/crawls/crawls.ts';
import { type ClaimedTask, claimTasks, markWaiting, nextDue, promoteDue } from '../../db/frontier/frontier.ts';
import { toAppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Grace } from '../../pipeline/fetch/grace.ts';
import { Turn, type TurnTerms } from '../../pipeline/fetch/turn.ts';
import type { HeldTask, HeldTasks } from './held-tasks.ts';
import { isSuspect, type Suspects } from './suspects.ts';

/** Room for this share of the worker must be free before it claims: large claims cost less than many small ones. */
const CLAIM_SHARE = 0.25;
/** How long before its time a domain's turn may be taken. */
const AHEAD_MS = 100;

interface ClaimLoopDeps {
  app: App;
  log: Log;
  workerId: string;
  held: HeldTasks;
  suspects: Suspects;
  bell: Bell;
  grace: Grace;
  /** Runs a task that was claimed; never rejects. */
  work(held: HeldTask): Promise<void>;
  /** Milliseconds until the worker may claim again after it could not store. */
  restMs(): number;
}

/** Claims tasks whenever there is room, until `signal` aborts. What it has claimed by then is left to the caller. */
export async function runClaimLoop(deps: ClaimLoopDeps, signal: AbortSignal): Promise<void> {
  const { app, held, suspects, bell, log } = deps;
  const { inFlight, pollMs } = app.settings.worker;
  while (!signal.aborted) {
    try {
      const restMs = deps.restMs();
      if (restMs > 0) await bell.wait(restMs);
      else if (suspects.waiting) await runSuspect(deps);
      else if (held.roomLeft < inFlight * CLAIM_SHARE) await bell.wait(pollMs);
      else if ((await claim(deps)) === 0) await idle(deps);
    } catch (error) {
      log.warn('claim_failed', { error: toAppError(error).message });
      await bell.wait(pollMs);
    }
  }
}

async function runSuspect({ app, suspects, bell, work }: ClaimLoopDeps): Promise<void> {
  const next = suspects.next();
  if (next !== undefined) void work(next);
  await bell.wait(app.settings.worker.pollMs);
}

async function claim({ app, workerId, held, suspects, grace, work }: ClaimLoopDeps): Promise<number> {
  const { worker, rateLimit } = app.settings;
  const askedAt = performance.now();
  const tasks = await claimTasks(app.database, {
    workerId,
    max: held.roomLeft,
    leaseMs: worker.leaseS * 1_000,
    defaultRps: rateLimit.defaultRps,
    defaultConcurrency: worker.domainConcurrency,
    windowMs: worker.windowMs,
    aheadMs: AHEAD_MS,
    graceMs: grace.ms,
  });
  const answeredAt = performance.now();
  grace.claimed(answeredAt - askedAt);
  const turns = new Map<string, Turn>();
  for (const task of tasks) {
    const turn = turns.get(task.domain_id) ?? new Turn(toTerms(task), askedAt, answeredAt);
    turns.set(task.domain_id, turn);
    const mine: HeldTask = { task, turn, askingSince: answeredAt, askedAgain: false };
    held.add(mine);
    if (isSuspect(task)) suspects.add(mine);
    else void work(mine);
  }
  const started = new Set(tasks.filter(({ starts_crawl }) => starts_crawl).map(({ crawl_id }) => crawl_id));
  await notifyCrawls(app.database, [...started]);
  return tasks.length;
}

/** Nothing to claim: waits for an announcement, a stored page, the next domain's time, or the poll. */
async function idle({ app, bell }: ClaimLoopDeps): Promise<void> {
  const { database, dispatch, settings } = app;
  const due = await promoteDue(database, 1_000);
  await markWaiting(database, [...new Set(due.map((row) => row.domain_id))]);
  if (due.length > 0) return;
  const waitMs = Math.min(settings.worker.pollMs, Math.max(20, (await nextDue(database)) - AHEAD_MS));
  await bell.waitOr(async (stopped) => {
    const delivery = await dispatch.receive('fetch', settings.worker.inFlight, waitMs, stopped);
    await delivery?.settle();
  }, waitMs);
}

const toTerms = (task: ClaimedTask): TurnTerms => ({
  delayMs: task.delay_ms,
  stepMs: task.step_ms,
  lengthMs: task.length_ms,
  waitMs: task.wait_ms,
  tasks: task.turn,
});
