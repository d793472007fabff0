import type { App } from '../app.ts';
import { type ClaimedJob, claimJobs, completeJob, failJob, JOB_CHANNEL, renewJob } from '../db/jobs/jobs.ts';
import { AppError, toAppError } from '../errors.ts';
import { joinWorkers } from '../operations/admin/membership.ts';
import { JOBS } from './index.ts';
import type { Job } from './job.ts';

const LEASE_MS = 60_000;
const AT_ONCE = 2;
const POLL_MS = 2_000;
/** How long a job may take to end after its signal aborts. */
const PATIENCE_MS = 5_000;

/** What ends jobs from outside. */
interface JobEnds {
  stop: AbortSignal;
  /** By the id of a job that runs: looks whether it still should. */
  cancel: Map<string, () => void>;
}

/** Runs background jobs until `signal` aborts; running jobs are then aborted and returned to the queue. */
export async function runJobs(app: App, signal: AbortSignal, jobs: readonly Job[] = JOBS): Promise<void> {
  await using membership = await joinWorkers(app, 'jobs');
  const running = new Set<Promise<void>>();
  const cancel: JobEnds['cancel'] = new Map();
  let wake = () => {};
  await using _listening = await app.database.listen(JOB_CHANNEL, (id) => {
    const check = cancel.get(id);
    if (check === undefined) wake();
    else check();
  });
  signal.addEventListener('abort', () => wake());
  const byKind = new Map(jobs.map((job) => [job.kind, job]));
  while (!signal.aborted) {
    const free = AT_ONCE - running.size;
    const claimed =
      free === 0
        ? []
        : await claimJobs(app.database, membership.id, [...byKind.keys()], free, LEASE_MS).catch(() => []);
    for (const job of claimed) {
      const done = runOne(app, membership.id, job, byKind.get(job.kind)!, { stop: signal, cancel }).finally(() => {
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

async function runOne(app: App, workerId: string, claimed: ClaimedJob, job: Job, ends: JobEnds): Promise<void> {
  const timeoutS = job.timeoutS ?? app.settings.job.timeoutS;
  const timeoutMs = timeoutS * 1_000;
  const end = new AbortController();
  const signal = AbortSignal.any([ends.stop, end.signal]);
  const timer = setTimeout(
    () => end.abort(new AppError('TIMEOUT', `the job took longer than ${timeoutS} s`)),
    timeoutMs,
  );
  const tell = async (state?: Record<string, unknown>) => {
    if (!(await renewJob(app.database, claimed, workerId, LEASE_MS, state)))
      end.abort(new AppError('CANCELLED', 'the job was cancelled, or given to another process'));
  };
  const heartbeat = setInterval(() => void tell().catch(() => {}), LEASE_MS / 3);
  ends.cancel.set(claimed.id, () => void tell().catch(() => {}));
  try {
    const lastAttempt = claimed.attempt >= claimed.max_attempts;
    const running = job.run({ app, signal, timeoutMs, lastAttempt, progress: tell }, claimed.payload);
    const result = await Promise.race([running, abandoned(signal)]);
    await completeJob(app.database, claimed, workerId, result);
  } catch (thrown) {
    const error = end.signal.aborted ? toAppError(end.signal.reason) : toAppError(thrown);
    app.log.warn('job_failed', { job: claimed.id, kind: claimed.kind, code: error.code, error: error.message });
    const mayRetry = !end.signal.aborted && error.retryable && claimed.attempt < claimed.max_attempts;
    const again = ends.stop.aborted || mayRetry;
    const delayMs = ends.stop.aborted
      ? 0
      : Math.max(error.retryAfterMs ?? 0, 1_000 * 2 ** Math.min(claimed.attempt, 10));
    await failJob(app.database, claimed, workerId, error, again ? Math.round(delayMs) : undefined).catch(() => {});
  } finally {
    clearTimeout(timer);
    clearInterval(heartbeat);
    ends.cancel.delete(claimed.id);
  }
}

/** Rejects a while after the signal: a job that does not heed it must not keep its place in the runner. */
function abandoned(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), PATIENCE_MS).unref());
  return promise;
}
