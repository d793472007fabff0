import assert from 'node:assert/strict';
import type { PubSub } from '../../src/ports/pubsub.ts';
import { assertAnswers, defineContract } from './support/contract.ts';
import { until } from './support/until.ts';

/** `open` gives one more process on the same engine for each call within a case. */
type Place = { open(): Promise<PubSub> } & AsyncDisposable;

export const pubsubContract = defineContract<() => Promise<Place>>('pubsub', (it, prepare) => {
  it('says which engine answers', async () => {
    await using place = await prepare();
    await using pubsub = await place.open();
    await assertAnswers(pubsub);
  });

  it('reaches every subscriber of the channel in order, in all processes, and nobody else', async () => {
    await using place = await prepare();
    await using here = await place.open();
    await using there = await place.open();
    const heard: string[][] = [[], [], [], []];
    await using _a = await here.subscribe('one', (message) => heard[0]!.push(message));
    await using _b = await there.subscribe('one', (message) => heard[1]!.push(message));
    await using _c = await there.subscribe('one', (message) => heard[2]!.push(message));
    await using _d = await there.subscribe('two', (message) => heard[3]!.push(message));
    await here.publish('one', ['1', '2']);
    await here.publish('one', ['3']);
    await here.publish('two', ['end']);
    await until(() => heard[3]!.length > 0 && heard.slice(0, 3).every((messages) => messages.length >= 3));
    assert.deepEqual(heard, [['1', '2', '3'], ['1', '2', '3'], ['1', '2', '3'], ['end']]);
  });

  it('stops when the subscription is disposed of, and only that one', async () => {
    await using place = await prepare();
    await using pubsub = await place.open();
    const heard: string[] = [];
    const hear = (message: string) => heard.push(message);
    const first = await pubsub.subscribe('one', hear);
    await using _second = await pubsub.subscribe('one', hear);
    await pubsub.publish('one', ['both']);
    await until(() => heard.length >= 2);
    await first[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await pubsub.publish('one', ['one of them', 'end']);
    await until(() => heard.includes('end'));
    assert.deepEqual(heard, ['both', 'both', 'one of them', 'end']);
  });

  it('carries any text of 2,000 characters', async () => {
    await using place = await prepare();
    await using pubsub = await place.open();
    const heard: string[] = [];
    await using _subscription = await pubsub.subscribe('a_channel_with_a_name_of_40_characters_9', (message) =>
      heard.push(message),
    );
    const messages = ['', `'; DROP TABLE "crawls"; --\n`, '語'.repeat(2_000)];
    await pubsub.publish('a_channel_with_a_name_of_40_characters_9', messages);
    await until(() => heard.length >= messages.length);
    assert.deepEqual(heard, messages);
  });

  it('publishes an empty list as nothing, and what comes after it all the same', async () => {
    await using place = await prepare();
    await using pubsub = await place.open();
    const heard: string[] = [];
    await using _subscription = await pubsub.subscribe('one', (message) => heard.push(message));
    await pubsub.publish('one', []);
    await pubsub.publish('one', ['end']);
    await until(() => heard.includes('end'));
    assert.deepEqual(heard, ['end']);
  });

  it('lets go of its subscribers when it is disposed of', async () => {
    await using place = await prepare();
    await using other = await place.open();
    const gone = await place.open();
    const heard: string[] = [];
    const stays: string[] = [];
    await gone.subscribe('one', (message) => heard.push(message));
    await using _subscription = await other.subscribe('one', (message) => stays.push(message));
    await other.publish('one', ['before']);
    await until(() => heard.length === 1);
    await gone[Symbol.asyncDispose]();
    await other.publish('one', ['after']);
    await until(() => stays.includes('after'));
    assert.deepEqual(heard, ['before']);
  });
});
