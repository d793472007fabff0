import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Turn } from './turn.ts';

const terms = { delayMs: 20, stepMs: 25, lengthMs: 95, waitMs: 0, tasks: 1 };

test('without a delay nobody waits', async () => {
  const turn = new Turn({ delayMs: 0, stepMs: 0, lengthMs: 0, waitMs: 0, tasks: 1 }, 0, 0);
  assert.deepEqual(await Promise.all([turn.take(async () => 1), turn.take(async () => 2)]), [1, 2]);
});

test('requests keep the delay after each other, and nothing is sent after the turn', async () => {
  const now = performance.now();
  const turn = new Turn(terms, now, now);
  const sent: number[] = [];
  const entered = await Promise.all(
    Array.from({ length: 8 }, () => turn.take(async () => sent.push(performance.now()))),
  );
  for (let index = 1; index < sent.length; index++) assert.ok(sent[index]! - sent[index - 1]! >= terms.delayMs);
  for (const time of sent) assert.ok(time - now <= terms.lengthMs - terms.delayMs);
  assert.ok(entered.includes(undefined));
});

test('a request waits for the answer to the one before, and says when the last one was', async () => {
  const now = performance.now();
  const turn = new Turn({ ...terms, lengthMs: 1_000 }, now, now);
  let answered = 0;
  const slow = turn.take(async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    answered = performance.now();
  });
  const next = await turn.take(async () => performance.now());
  await slow;
  assert.ok(next! - answered >= terms.delayMs);
  assert.ok(turn.answeredAt! >= next!);
});

test('a redirect has its place in the turn, before those who stand in line, as long as there is one', async () => {
  const now = performance.now();
  const turn = new Turn({ ...terms, lengthMs: 10_000, tasks: 2 }, now, now);
  const sent: [string, number][] = [];
  const send = (name: string) => sent.push([name, performance.now()]);
  const redirected = turn.take(async () => {
    send('first');
    assert.equal(await turn.takeHop(), true);
    send('hop');
  });
  await Promise.all([redirected, turn.take(async () => send('second'))]);
  assert.deepEqual(
    sent.map(([name]) => name),
    ['first', 'hop', 'second'],
  );
  for (let index = 1; index < sent.length; index++) assert.ok(sent[index]![1] - sent[index - 1]![1] >= terms.delayMs);
  const start = performance.now();
  const over = new Turn({ ...terms, lengthMs: terms.stepMs }, start, start);
  assert.equal(await over.takeHop(), false);
  assert.ok(performance.now() - start >= terms.delayMs, 'also who comes too late waits');
  assert.equal(await new Turn({ ...terms, delayMs: 0 }, now, now).takeHop(), false);
});

test('the last task to leave a turn ends it, and whoever comes next waits for the delay after the last answer', async () => {
  const now = performance.now();
  const turn = new Turn({ ...terms, waitMs: 7, tasks: 2 }, now, now);
  assert.equal(turn.opensAt, now + 7);
  assert.equal(turn.leave(), false);
  await turn.take(async () => {});
  assert.equal(turn.opensAt, turn.answeredAt! + terms.delayMs);
  assert.equal(turn.leave(), true);
});

test('a turn that came too late sends nothing', async () => {
  const now = performance.now();
  assert.equal(await new Turn(terms, now - 1_000, now).take(async () => true), undefined);
});

test('two turns in a row never come closer than the delay, whatever the answers took', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }), async (asked, answer) => {
      const start = performance.now();
      const first = new Turn(terms, start - asked, start);
      const second = new Turn({ ...terms, waitMs: terms.lengthMs }, start - asked, start - asked);
      const sent: number[] = [];
      const use = async (turn: Turn) => {
        for (let index = 0; index < 3; index++) {
          await turn.take(async () => {
            sent.push(performance.now());
            await new Promise((resolve) => setTimeout(resolve, answer));
          });
        }
      };
      await Promise.all([use(first), use(second)]);
      sent.sort((one, other) => one - other);
      for (let index = 1; index < sent.length; index++) assert.ok(sent[index]! - sent[index - 1]! >= terms.delayMs);
    }),
    { numRuns: 8 },
  );
});
