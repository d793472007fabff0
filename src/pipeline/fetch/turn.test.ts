import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { Turn, type TurnTerms } from './turn.ts';

/** A clock that stands until `run` moves it, from timer to timer: no test waits, and none depends on the machine. */
function standClock(): Disposable & { run(ms: number): Promise<void> } {
  let now = 1_000;
  mock.timers.enable({ apis: ['setTimeout'] });
  const clock = mock.method(performance, 'now', () => now);
  return {
    async run(ms) {
      for (let step = 0; step < ms; step++) {
        now++;
        mock.timers.tick(1);
        for (let turn = 0; turn < 8; turn++) await Promise.resolve();
      }
    },
    [Symbol.dispose]() {
      clock.mock.restore();
      mock.timers.reset();
    },
  };
}

const terms = (over: Partial<TurnTerms>): TurnTerms => ({
  paceMs: 0,
  delayMs: 0,
  stepMs: 25,
  lengthMs: 10_000,
  waitMs: 0,
  tasks: 1,
  ...over,
});
const startTurn = (over: Partial<TurnTerms>) => new Turn(terms(over), performance.now(), performance.now());

interface Sent {
  start: number;
  end: number;
}

/** Requests `count` places at once, each answered after `latencyMs`; what was sent is listed in the order of the starts. */
async function use(turn: Turn, count: number, latencyMs: number, sent: Sent[] = []): Promise<Sent[]> {
  await Promise.all(
    Array.from({ length: count }, async () => {
      const place = await turn.enter();
      if (place === undefined) return;
      const request = { start: performance.now(), end: Number.POSITIVE_INFINITY };
      sent.push(request);
      place.started();
      await new Promise<void>((resolve) => setTimeout(resolve, latencyMs));
      request.end = performance.now();
      place.end();
    }),
  );
  return sent;
}

const gaps = (values: readonly number[], before: readonly number[] = values) =>
  values.slice(1).map((value, index) => value - before[index]!);
const underWay = (sent: readonly Sent[]) =>
  Math.max(...sent.map(({ start }) => sent.filter((other) => other.start <= start && start < other.end).length));

describe('a turn', () => {
  test('without pace and delay nobody waits', async () => {
    using clock = standClock();
    const turn = startTurn({ lengthMs: 0, stepMs: 0 });
    const using = use(turn, 3, 5);
    await clock.run(6);
    const sent = await using;
    assert.deepEqual(gaps(sent.map(({ start }) => start)), [0, 0]);
    assert.equal(underWay(sent), 3);
  });

  test('a pace counts from start to start, however long answers take', async () => {
    using clock = standClock();
    const using = use(startTurn({ paceMs: 20 }), 5, 50);
    await clock.run(200);
    const sent = await using;
    assert.deepEqual(gaps(sent.map(({ start }) => start)), [20, 20, 20, 20]);
    assert.equal(underWay(sent), 3, 'nobody waited for an answer');
  });

  test('a delay counts from the answer, one request at a time', async () => {
    using clock = standClock();
    const using = use(startTurn({ delayMs: 20 }), 4, 50);
    await clock.run(400);
    const sent = await using;
    assert.equal(sent.length, 4);
    assert.deepEqual(
      gaps(
        sent.map(({ start }) => start),
        sent.map(({ end }) => end),
      ),
      [20, 20, 20],
    );
  });

  test('with both, the slower of them holds', async () => {
    using clock = standClock();
    for (const [latency, gap] of [
      [10, 100],
      [95, 115],
    ] as const) {
      const using = use(startTurn({ paceMs: 100, delayMs: 20 }), 3, latency);
      await clock.run(400);
      const sent = await using;
      assert.deepEqual(gaps(sent.map(({ start }) => start)), [gap, gap]);
      assert.equal(underWay(sent), 1);
    }
  });

  test('nothing is sent after it, and what did not fit is told so', async () => {
    using clock = standClock();
    for (const rule of [{ paceMs: 20 }, { delayMs: 20 }]) {
      const begin = performance.now();
      const sent: Sent[] = [];
      const using = use(startTurn({ ...rule, lengthMs: 95 }), 8, 0, sent);
      await clock.run(200);
      await using;
      assert.ok(sent.length >= 3 && sent.length < 8, `${sent.length} of 8 fit`);
      for (const { start } of sent) assert.ok(start - begin <= 95 - 25);
    }
  });

  test('one that came too late sends nothing', async () => {
    using _clock = standClock();
    const now = performance.now();
    assert.equal(await new Turn(terms({ paceMs: 20, lengthMs: 95 }), now - 500, now).enter(), undefined);
  });

  test('a request that is not sent gives its place to the next', async () => {
    using clock = standClock();
    const turn = startTurn({ paceMs: 20 });
    (await turn.enter())!.end();
    const next = turn.enter();
    await clock.run(1);
    assert.ok(await next);
    assert.equal(turn.used, false);
  });

  test('a redirect goes before those who stand in line', async () => {
    using clock = standClock();
    for (const rule of [{ paceMs: 20 }, { delayMs: 20 }]) {
      const turn = startTurn(rule);
      const order: string[] = [];
      const ask = async (name: string, ahead: boolean) => {
        const place = await turn.enter(ahead);
        place!.started();
        order.push(name);
        place!.end();
      };
      const asking = [ask('first', false), ask('second', false), ask('third', false)];
      await clock.run(5);
      asking.push(ask('redirect', true));
      await clock.run(100);
      await Promise.all(asking);
      assert.deepEqual(order, ['first', 'second', 'redirect', 'third']);
    }
  });

  test('the last task to leave ends it: nothing more is sent, and the next turn keeps pace and delay', async () => {
    using clock = standClock();
    const turn = startTurn({ paceMs: 30, delayMs: 20, tasks: 2 });
    const using = use(turn, 1, 15);
    await clock.run(20);
    const [sent] = await using;
    assert.equal(turn.opensAt, Math.max(sent!.start + 30, sent!.end + 20));
    assert.equal(turn.leave(), false);
    assert.equal(turn.leave(), true);
    assert.equal(await turn.enter(), undefined);
  });

  test('two in a row never come too close, whatever asking for them and answers took', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ asked: fc.nat(6), latency: fc.nat(60), paceMs: fc.nat(40), delayMs: fc.nat(40) }),
        async ({ asked, latency, paceMs, delayMs }) => {
          fc.pre(paceMs + delayMs > 0);
          using clock = standClock();
          const now = performance.now();
          const stepMs = Math.max(paceMs, delayMs) + 5;
          const lengthMs = 3 * stepMs + 20;
          const first = new Turn(terms({ paceMs, delayMs, stepMs, lengthMs }), now - asked, now);
          const second = new Turn(
            terms({ paceMs, delayMs, stepMs, lengthMs, waitMs: lengthMs }),
            now - asked,
            now - asked,
          );
          const sent: Sent[] = [];
          const both = Promise.all([use(first, 3, latency, sent), use(second, 3, latency, sent)]);
          await clock.run(3 * lengthMs + 200);
          await both;
          assert.ok(sent.length >= 2, 'both were used');
          const starts = sent.map(({ start }) => start);
          assert.ok(Math.min(...gaps(starts)) >= paceMs, `starts at ${starts}`);
        },
      ),
      { numRuns: 60 },
    );
  });
});
