import assert from 'node:assert/strict';
import type { Delivery, Dispatch, Due } from '../../src/ports/dispatch.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

/** `open` gives one more process on the same engine for each call within a case. */
type Place = { open(): Promise<Dispatch> } & AsyncDisposable;

/** Longer than a test run takes: what ends before it did not end by time. */
const LONG = 3_600_000;
const never = new AbortController().signal;
const due = (number: number): Due => ({
  id: `0198f000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  priority: 5,
});

/** The delivery, with what it must name where a broker delivers. */
function assertDelivered(dispatch: Dispatch, delivery: Delivery | undefined, items: readonly Due[]): Delivery {
  assert.ok(delivery !== undefined, 'nothing was delivered');
  assert.deepEqual(delivery.ids?.toSorted(), dispatch.brokered ? items.map(({ id }) => id).sort() : undefined);
  return delivery;
}

export const dispatchContract = defineContract<() => Promise<Place>>('dispatch', (it, prepare) => {
  it('says which engine answers', async () => {
    await using place = await prepare();
    await using dispatch = await place.open();
    await assertAnswers(dispatch);
  });

  for (const work of ['fetch', 'parse'] as const) {
    const other = work === 'fetch' ? 'parse' : 'fetch';

    it(`${work}: gives one process what another announces while it waits`, async () => {
      await using place = await prepare();
      await using sender = await place.open();
      await using receiver = await place.open();
      // The first call makes sure that it listens before anything is announced.
      await receiver.receive(work, 10, 1, never);
      const received = receiver.receive(work, 10, LONG, never);
      await sender.announce(work, [due(1)]);
      await assertDelivered(receiver, await received, [due(1)]).settle();
    });

    it(`${work}: keeps what was announced since the last call, once, and apart from other work`, async () => {
      await using place = await prepare();
      await using dispatch = await place.open();
      await dispatch.announce(other, [due(1)]);
      await dispatch.announce(work, [due(2)]);
      await assertDelivered(dispatch, await dispatch.receive(work, 10, LONG, never), [due(2)]).settle();
      assert.equal(await dispatch.receive(work, 10, 20, never), undefined);
      await assertDelivered(dispatch, await dispatch.receive(other, 10, LONG, never), [due(1)]).settle();
    });
  }

  it('ends a wait when it is called off, and loses nothing by that', async () => {
    await using place = await prepare();
    await using dispatch = await place.open();
    const stop = new AbortController();
    const received = dispatch.receive('fetch', 10, LONG, stop.signal);
    stop.abort();
    assert.equal(await received, undefined);
    await dispatch.announce('fetch', [due(1)]);
    await assertDelivered(dispatch, await dispatch.receive('fetch', 10, LONG, never), [due(1)]).settle();
  });

  it('brings a flood of announcements to all who wait', async () => {
    await using place = await prepare();
    await using sender = await place.open();
    const receivers = await Promise.all([place.open(), place.open()]);
    await Promise.all(receivers.map((receiver) => receiver.receive('fetch', 1, 1, never)));
    const received = receivers.map((receiver) => receiver.receive('fetch', 1, LONG, never));
    await Promise.all(Array.from({ length: 200 }, (_, number) => sender.announce('fetch', [due(number)])));
    const deliveries = await Promise.all(received);
    for (const delivery of deliveries) {
      assert.ok(delivery !== undefined, 'a receiver was not woken');
      assert.equal(delivery.ids?.length, sender.brokered ? 1 : undefined);
      await delivery.settle();
    }
    if (sender.brokered) assert.notDeepEqual(deliveries[0]!.ids, deliveries[1]!.ids, 'one id went to two receivers');
    for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
  });

  it('takes an empty list for nothing, and what comes after it all the same', async () => {
    await using place = await prepare();
    await using dispatch = await place.open();
    await dispatch.announce('fetch', []);
    assert.equal(await dispatch.receive('fetch', 1, 20, never), undefined);
    await dispatch.announce('fetch', [due(1)]);
    await assertDelivered(dispatch, await dispatch.receive('fetch', 1, LONG, never), [due(1)]).settle();
  });

  it('brings a delivery again that was never settled', async () => {
    await using place = await prepare();
    await using sender = await place.open();
    const lost = await place.open();
    await using next = await place.open();
    await lost.receive('parse', 10, 1, never);
    await next.receive('parse', 10, 1, never);
    const taken = lost.receive('parse', 10, LONG, never);
    await sender.announce('parse', [due(1)]);
    assertDelivered(sender, await taken, [due(1)]);
    await lost[Symbol.asyncDispose]();
    await assertDelivered(sender, await next.receive('parse', 10, LONG, never), [due(1)]).settle();
  });

  it('lets go of a receiver when it is disposed of, and still sends what was announced', async () => {
    await using place = await prepare();
    const dispatch = await place.open();
    await using other = await place.open();
    await other.receive('parse', 1, 1, never);
    await dispatch.receive('fetch', 1, 1, never);
    const received = dispatch.receive('fetch', 1, LONG, never);
    await dispatch.announce('parse', [due(1)]);
    await dispatch[Symbol.asyncDispose]();
    assert.equal(await received, undefined);
    await assertDelivered(other, await other.receive('parse', 1, LONG, never), [due(1)]).settle();
  });
});
