import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Turn } from './turn.ts';

const terms = { delayMs: 20, stepMs: 25, lengthMs: 95, waitMs: 0 };

test('without a delay nobody waits', async () => {
  const turn = new Turn({ delayMs: 0, stepMs: 0, lengthMs: 0, waitMs: 0 }, 0, 0);
  assert.deepEqual(await Promise.all([turn.enter(), turn.enter()]), [true, true]);
});

test('requests keep the delay after each other, and nothing is sent after the turn', async () => {
  const now = performance.now();
  const turn = new Turn(terms, now, now);
  const sent: number[] = [];
  const entered = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const may = await turn.enter();
      if (may) sent.push(performance.now());
      return may;
    }),
  );
  for (let index = 1; index < sent.length; index++) assert.ok(sent[index]! - sent[index - 1]! >= terms.delayMs);
  for (const time of sent) assert.ok(time - now <= terms.lengthMs - terms.delayMs);
  assert.ok(entered.includes(false));
});

test('a turn that came too late sends nothing', async () => {
  const now = performance.now();
  assert.equal(await new Turn(terms, now - 1_000, now).enter(), false);
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
          if (!(await turn.enter())) return;
          sent.push(performance.now());
          await new Promise((resolve) => setTimeout(resolve, answer));
          turn.answered();
        }
      };
      await Promise.all([use(first), use(second)]);
      sent.sort((one, other) => one - other);
      for (let index = 1; index < sent.length; index++) assert.ok(sent[index]! - sent[index - 1]! >= terms.delayMs);
    }),
    { numRuns: 8 },
  );
});
