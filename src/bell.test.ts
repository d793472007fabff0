import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bell } from './bell.ts';

const forever = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

test('a ring before the wait is kept, once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bell = new Bell();
  bell.ring();
  await bell.wait(1_000);
  assert.equal(await isOver(bell.wait(1_000)), false);
});

test('a ring wakes who listens for something else too', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bell = new Bell();
  const waiting = bell.waitOr(forever, 1_000);
  bell.ring();
  await waiting;
});

test('what was heard leaves nothing behind that could end a later wait or take its ring', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bell = new Bell();
  await bell.waitOr(async () => {}, 1_000);

  const next = bell.wait(60_000);
  t.mock.timers.tick(1_000);
  assert.equal(await isOver(next), false);
  bell.ring();
  assert.equal(await isOver(next), true);
});

test('a listener that fails is reported to who waits', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await assert.rejects(
    new Bell().waitOr(() => Promise.reject(new Error('engine gone')), 1_000),
    /engine gone/,
  );
});

async function isOver(waiting: Promise<void>): Promise<boolean> {
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return over;
}
