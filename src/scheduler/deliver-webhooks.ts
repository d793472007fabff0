import type { App } from '../app.ts';
import { Bell } from '../bell.ts';
import { type ClaimedDelivery, claimDeliveries } from '../db/webhooks/claim-deliveries.ts';
import { toAppError } from '../errors.ts';
import { attemptDelivery, LEASE_S } from '../operations/webhooks/attempt-delivery.ts';

/** Addresses that are sent to at once: one that does not answer takes one of these for twenty seconds. */
const AT_ONCE = 100;
const POLL_MS = 1_000;

/** Sends messages as they come due, one at a time to each address. Ends with `signal`, after what is under way. */
export async function deliverWebhooks(app: App, signal: AbortSignal): Promise<void> {
  if (!app.settings.features.enableWebhooks) return;
  const sending = new Set<Promise<void>>();
  const bell = new Bell();
  const ring = () => bell.ring();
  signal.addEventListener('abort', ring);
  const warn = (error: unknown) => app.log.warn('webhooks_not_sent', { error: toAppError(error).message });
  const send = (delivery: ClaimedDelivery) => {
    const sent = attemptDelivery(app, delivery)
      .catch(warn)
      .finally(() => {
        sending.delete(sent);
        // Its address is free for the next message.
        bell.ring();
      });
    sending.add(sent);
  };
  while (!signal.aborted) {
    const free = AT_ONCE - sending.size;
    const due = free === 0 ? [] : await claimDeliveries(app.database, free, LEASE_S).catch(warn);
    for (const delivery of due ?? []) send(delivery);
    await bell.wait(POLL_MS);
  }
  signal.removeEventListener('abort', ring);
  await Promise.all(sending);
}
