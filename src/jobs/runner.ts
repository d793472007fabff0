import type { App } from '../app.ts';
import { type ClaimedJob, claimJobs, completeJob, failJob, JOB_CHANNEL, renewJob } from '../db/jobs/jobs.ts';
import { toAppError } from '../errors.ts';
import { joinWorkers } from '../operations/admin/membership.ts';
import { JOBS } from './index.ts';
import type { Job } from './job.ts';

const LEASE_MS = 60_000;
const AT_ONCE = 2;
const POLL_MS = 2_000;

/** Runs background jobs until `signal` aborts; a job under way is then told to stop and goes back. */
export async function runJobs(app: App, signal: AbortSignal, jobs: readonly Job[] = JOBS): Promise<void> {
  await using membership = await joinWorkers(app, 'jobs');
  const running = new Set<Promise<void>>();
  let wake = () => {};
  await using _listening = await app.database.listen(JOB_CHANNEL, () => wake());
  signal.addEventListener('abort', () => wake());
  const byKind = new Map(jobs.map((job) => [job.kind, job]));
  while (!signal.aborted) {
    const room = AT_ONCE - running.size;
    const claimed =
      room === 0
        ? []
        : await claimJobs(app.database, membership.id, [...byKind.keys()], room, LEASE_MS).catch(() => []);
    for (const job of claimed) {
      const done = runOne(app, membership.id, job, byKind.get(job.kind)!, signal).finally(() => {
        running.delete(done);
        wake();
      });
      running.add(done);
    }
    if (claimed.length === 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
  }
  await Promise.all(running);
}

async function runOne(app: App, workerId: string, claimed: ClaimedJob, job: Job, stop: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  const tell = async (state?: Record<string, unknown>) => {
    if (!(await renewJob(app.database, claimed, workerId, LEASE_MS, state))) lost.abort();
  };
  const heartbeat = setInterval(() => void tell().catch(() => {}), LEASE_MS / 3);
  try {
    const result = await job.run({ app, signal, progress: tell }, claimed.payload);
    await completeJob(app.database, claimed, workerId, result);
  } catch (thrown) {
    const error = toAppError(thrown);
    app.log.warn('job_failed', { job: claimed.id, kind: claimed.kind, code: error.code, error: error.message });
    const again = stop.aborted || (error.retryable && claimed.attempt < claimed.max_attempts);
    const delayMs = stop.aborted ? 0 : Math.max(error.retryAfterMs ?? 0, 1_000 * 2 ** Math.min(claimed.attempt, 10));
    await failJob(app.database, claimed, workerId, error, again ? delayMs : undefined).catch(() => {});
  } finally {
    clearInterval(heartbeat);
  }
}
