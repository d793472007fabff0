import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findJobView } from '../../src/db/jobs/job-views.ts';
import { insertJob } from '../../src/db/jobs/jobs.ts';
import { newId } from '../../src/ids.ts';
import type { Job } from '../../src/jobs/job.ts';
import { runJobs } from '../../src/jobs/runner.ts';
import { cancelJob } from '../../src/operations/admin/cancel-job.ts';
import { createEngine, type Engine, eventually } from '../support/engine.ts';

/** Waits for its signal, as a job does that waits for a slow site. */
const waits: Job = {
  kind: 'waits',
  run: ({ signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
};

describe('the end of a job', () => {
  let engine: Engine;
  before(async () => {
    engine = await createEngine({ JOB__TIMEOUT_S: '1' });
  });
  after(() => engine[Symbol.asyncDispose]());
  const plan = async () => (await insertJob(engine.database, { id: newId(), kind: 'waits', payload: {} }))!;
  const until = (id: string, status: string) =>
    eventually(
      () => findJobView(engine.database, id),
      (job) => job?.status === status,
    );

  it('comes with its time limit, for good, and leaves room for others', async () => {
    const stop = engine.run((app, signal) => runJobs(app, signal, [waits]));
    const ids = [await plan(), await plan(), await plan()];
    for (const id of ids) assert.equal((await until(id, 'failed'))?.error_code, 'TIMEOUT');
    await stop();
  });

  it('comes when it is cancelled, waiting or running', async () => {
    const { settings } = engine.app;
    const slow = { ...engine.app, settings: { ...settings, job: { ...settings.job, timeoutS: 600 } } };
    const waiting = await plan();
    assert.equal((await cancelJob(engine.app, waiting)).status, 'cancelled');
    const { promise: heard, resolve } = Promise.withResolvers<unknown>();
    const listens: Job = {
      ...waits,
      run: (context, payload) => {
        context.signal.addEventListener('abort', () => resolve(context.signal.reason));
        return waits.run(context, payload);
      },
    };
    const stop = engine.run((_app, signal) => runJobs(slow, signal, [listens]));
    const running = await plan();
    await until(running, 'running');
    await cancelJob(engine.app, running);
    assert.equal(((await heard) as { code: string }).code, 'CANCELLED');
    assert.equal((await findJobView(engine.database, running))?.status, 'cancelled');
    await stop();
    await assert.rejects(cancelJob(engine.app, newId()), { code: 'NOT_FOUND' });
  });
});
