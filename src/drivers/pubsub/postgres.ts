import type { Database } from '../../ports/database.ts';
import type { PubSub } from '../../ports/pubsub.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { askRoundTrip, askVersion } from '../ask-engine.ts';

/** Channels of one server are shared by all that connect to it. */
const PREFIX = 'crawl4r_';

/** NOTIFY and LISTEN on the database that is there anyway; all channels of a process share one connection. */
export function createPostgresPubSub({ database }: { database: Database }): PubSub {
  const open = new Set<AsyncDisposable>();
  const pubsub: Bare<PubSub> = {
    async publish(channel, messages) {
      if (messages.length === 0) return;
      await database
        .query('SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message', [PREFIX + channel, messages])
        .catch(() => {});
    },
    async subscribe(channel, onMessage) {
      // Wrapped, so that one function subscribed twice is two subscriptions.
      const listener = await database.listen(PREFIX + channel, (message) => onMessage(message));
      const subscription = {
        async [Symbol.asyncDispose]() {
          if (open.delete(subscription)) await listener[Symbol.asyncDispose]();
        },
      };
      open.add(subscription);
      return subscription;
    },
    async [Symbol.asyncDispose]() {
      for (const subscription of [...open]) await subscription[Symbol.asyncDispose]();
    },
  };
  return asEngine('postgres', pubsub, async () => ({
    ...(await askVersion(database)),
    ...(await askRoundTrip(pubsub)),
  }));
}
