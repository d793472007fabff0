import type { App } from '../app.ts';
import { insertDeliveries } from '../db/webhooks/webhook-deliveries.ts';
import { consumeEvents } from '../operations/events/consume-events.ts';
import { readMessageFacts } from '../operations/webhooks/message-facts.ts';
import { MESSAGE_KINDS } from '../operations/webhooks/webhook-events.ts';
import { writeMessages } from '../operations/webhooks/write-messages.ts';

/** In one statement. */
const MESSAGES = 200;
/** In one go: other duties of the scheduler want the database too. */
const ROUNDS = 50;

/**
 * Reads events from the log and writes a message for every webhook that subscribed to them. The position in the log moves
 * with the messages, so no event is lost and none is announced twice. Returns how many messages were written.
 */
export async function planDeliveries({ database }: Pick<App, 'database'>): Promise<number> {
  let planned = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let written = 0;
    const taken = await consumeEvents(database, 'webhooks', MESSAGE_KINDS, async (tx, events) => {
      const facts = await readMessageFacts(tx, events);
      const messages = facts.subscribers.flatMap((webhook) => writeMessages(webhook, events, facts));
      for (let at = 0; at < messages.length; at += MESSAGES)
        await insertDeliveries(tx, messages.slice(at, at + MESSAGES));
      written = messages.length;
    });
    planned += written;
    if (taken === 0) break;
  }
  return planned;
}
