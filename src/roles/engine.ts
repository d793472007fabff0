import type { App } from '../app.ts';
import { runJobs } from '../jobs/runner.ts';
import { runIndexer } from './indexer.ts';
import { runScheduler } from './scheduler.ts';
import { runWorker } from './worker.ts';

/** Every role that works in the background, in this process, until the signal. The first to fail ends the others. */
export async function runEngine(app: App, signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const roles = [runWorker(app, either), runScheduler(app, either), runJobs(app, either), runIndexer(app, either)];
  await Promise.all(
    roles.map((role) =>
      role.catch((error: unknown) => {
        failed.abort();
        throw error;
      }),
    ),
  );
}
