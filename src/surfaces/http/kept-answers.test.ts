import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createKeptAnswers } from './kept-answers.ts';

const tick = () => new Promise((done) => setImmediate(done));

describe('kept answers', () => {
  /** Data that is read in steps, as queries do; each write is a new version. */
  function store() {
    let value = 0;
    let [looks, made] = [0, 0];
    const pauses: (() => void)[] = [];
    const pause = () => new Promise<void>((go) => pauses.push(go));
    let clock = 0;
    const answers = createKeptAnswers({
      version: async () => {
        looks++;
        await pause();
        const seen = value;
        await pause();
        return String(seen);
      },
      now: () => clock,
    });
    return {
      ask: async (key = 'list', keep = true) => {
        const bytes = await answers.answer(key, async () => {
          made++;
          await pause();
          const seen = value;
          await pause();
          return { text: `${key}=${seen}`, keep };
        });
        return bytes.toString();
      },
      write: () => ++value,
      value: () => value,
      looks: () => looks,
      made: () => made,
      pass(ms: number) {
        clock += ms;
      },
      /** Lets one step of what is under way go on; which, is up to `choose`. */
      async step(choose = 0) {
        await tick();
        pauses.splice(choose % Math.max(1, pauses.length), 1)[0]?.();
        await tick();
      },
      async settle<T>(asked: Promise<T>): Promise<T> {
        let done = false;
        void asked.finally(() => (done = true)).catch(() => {});
        while (!done) await this.step();
        return asked;
      },
    };
  }

  it('are made once while nothing changes, whatever else is asked', async () => {
    const data = store();
    for (let count = 0; count < 5; count++)
      assert.deepEqual(await data.settle(Promise.all([data.ask('a'), data.ask('b')])), ['a=0', 'b=0']);
    assert.deepEqual([data.made(), data.looks()], [2, 5]);
    data.write();
    assert.equal(await data.settle(data.ask('a')), 'a=1');
    assert.equal(data.made(), 3);
  });

  it('are made again after a few seconds, and where they may differ each time', async () => {
    const data = store();
    await data.settle(data.ask());
    data.pass(6_000);
    await data.settle(data.ask());
    assert.equal(data.made(), 2);
    for (let count = 0; count < 3; count++) await data.settle(data.ask('other', false));
    assert.equal(data.made(), 5);
  });

  it('fail for those who waited, and for no one after', async () => {
    let fail = true;
    const answers = createKeptAnswers({ version: async () => '1' });
    const ask = () =>
      answers.answer('a', async () => {
        if (fail) throw new Error('no');
        return { text: 'yes', keep: true };
      });
    const both = await Promise.allSettled([ask(), ask()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    fail = false;
    assert.equal(String(await ask()), 'yes');
    const down = createKeptAnswers({ version: () => Promise.reject(new Error('down')) });
    await assert.rejects(
      down.answer('a', async () => ({ text: '', keep: true })),
      /down/,
    );
    await assert.rejects(
      down.answer('a', async () => ({ text: '', keep: true })),
      /down/,
    );
  });

  it('are never older than the request they answer, however reads and writes overlap', async () => {
    const moves = fc.array(
      fc.oneof(
        fc.constant({ kind: 'write' as const }),
        fc.record({ kind: fc.constant('ask' as const), key: fc.constantFrom('a', 'b') }),
        fc.record({ kind: fc.constant('step' as const), choose: fc.nat(5) }),
      ),
      { minLength: 5, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(moves, async (run) => {
        const data = store();
        const asked: Promise<void>[] = [];
        for (const move of run) {
          if (move.kind === 'write') data.write();
          else if (move.kind === 'step') await data.step(move.choose);
          else {
            const atLeast = data.value();
            asked.push(
              data.ask(move.key).then((text) => {
                const [key, value] = text.split('=');
                assert.equal(key, move.key);
                assert.ok(Number(value) >= atLeast, `${text}, but ${atLeast} was there when it was asked`);
              }),
            );
          }
        }
        await data.settle(Promise.all(asked));
      }),
      { numRuns: 200 },
    );
  });
});
