import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { createDeadline } from './deadline.ts';

test('time runs out with TIMEOUT', async () => {
  const deadline = createDeadline('https://example.com/', 5, undefined);
  await assert.rejects(deadline.failed, { code: 'TIMEOUT' });
  deadline.end();
});

test('held work is not counted', async () => {
  const deadline = createDeadline('https://example.com/', 200, undefined);
  assert.equal(await deadline.hold(() => sleep(400, 'done')), 'done');
  assert.equal(deadline.failure, undefined);
  await assert.rejects(
    deadline.hold(() => Promise.reject(new AppError('ROBOTS_DISALLOWED', 'no'))),
    { code: 'ROBOTS_DISALLOWED' },
  );
  await assert.rejects(deadline.failed, { code: 'TIMEOUT' });
  deadline.end();
});

test('the first reason stands, and a signal is one', async () => {
  const control = new AbortController();
  const deadline = createDeadline('https://example.com/', 60_000, control.signal);
  control.abort();
  deadline.fail(new AppError('RENDER_FAILED', 'later'));
  await assert.rejects(deadline.failed, { code: 'CANCELLED' });
  deadline.end();
});
