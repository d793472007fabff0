import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Dispatch } from '../../src/ports/dispatch.ts';

const task = { id: '0198f000-0000-7000-8000-000000000001', priority: 5 };
/** Far longer than a delivery takes, far shorter than the test runner waits. */
const LONG = 20_000;
const never = new AbortController().signal;

/** `open` gives one more process on the same engine for each call within a test. */
export function testDispatch(
  name: string,
  prepare: () => Promise<{ open(): Promise<Dispatch> } & AsyncDisposable>,
): void {
  describe(`dispatch: ${name}`, () => {
    it('tells one process what another announced while it waits', async () => {
      await using place = await prepare();
      await using sender = await place.open();
      await using receiver = await place.open();
      // The first call makes sure that it listens before anything is announced.
      await receiver.receive(10, 1, never);
      const received = receiver.receive(10, LONG, never);
      await sender.announce([task]);
      const delivery = await received;
      if (sender.brokered) assert.deepEqual(delivery.ids, [task.id]);
      await delivery.settle();
    });

    it('remembers what was announced since the last call', async () => {
      await using place = await prepare();
      await using dispatch = await place.open();
      await dispatch.receive(10, 1, never);
      await dispatch.announce([task]);
      await (await dispatch.receive(10, LONG, never)).settle();
      const started = performance.now();
      const empty = await dispatch.receive(10, 60, never);
      await empty.settle();
      assert.equal(empty.ids?.length ?? 0, 0);
      assert.ok(performance.now() - started >= 50, 'an announcement is delivered once');
    });

    it('gives an empty delivery when the time is over', async () => {
      await using place = await prepare();
      await using dispatch = await place.open();
      const started = performance.now();
      const delivery = await dispatch.receive(10, 40, never);
      assert.ok(performance.now() - started >= 35);
      assert.equal(delivery.ids?.length ?? 0, 0);
      await delivery.settle();
    });

    it('ends waiting when asked to', async () => {
      await using place = await prepare();
      await using dispatch = await place.open();
      const stop = new AbortController();
      const received = dispatch.receive(10, LONG, stop.signal);
      stop.abort();
      await received;
      await dispatch.receive(10, LONG, stop.signal);
    });

    it('wakes every process, and takes a flood of announcements', async () => {
      await using place = await prepare();
      await using sender = await place.open();
      await using one = await place.open();
      await using other = await place.open();
      await Promise.all([one.receive(1, 1, never), other.receive(1, 1, never)]);
      const received = [one.receive(1, LONG, never), other.receive(1, LONG, never)];
      const ids = Array.from({ length: 200 }, (_, index) => task.id.replace(/.{4}$/, String(1_000 + index)));
      await Promise.all(ids.map((id) => sender.announce([{ id, priority: 5 }])));
      for (const delivery of await Promise.all(received)) await delivery.settle();
    });

    it('announces nothing when there is nothing', async () => {
      await using place = await prepare();
      await using dispatch = await place.open();
      await dispatch.announce([]);
      assert.equal((await dispatch.receive(1, 20, never)).ids?.length ?? 0, 0);
    });

    it('lets go of a receiver when it is disposed of', async () => {
      await using place = await prepare();
      const dispatch = await place.open();
      await dispatch.receive(1, 1, never);
      const started = performance.now();
      const received = dispatch.receive(1, LONG, never);
      await dispatch[Symbol.asyncDispose]();
      await received;
      assert.ok(performance.now() - started < LONG / 2);
    });
  });
}
