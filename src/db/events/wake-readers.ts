import type { PubSub } from '../../ports/pubsub.ts';

/** Wakes the readers of the log. It carries nothing that they rely on: one that misses a message looks by itself soon after. */
export const READERS_CHANNEL = 'events';

/** Publish after the commit: a reader that looks earlier finds nothing. */
export const wakeReaders = (pubsub: PubSub): Promise<void> => pubsub.publish(READERS_CHANNEL, ['']);
