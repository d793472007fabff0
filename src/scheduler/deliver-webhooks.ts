import type { App } from '../app.ts';
import { claimDeliveries } from '../db/webhooks/webhook-deliveries.ts';
import { toAppError } from '../errors.ts';
import { attemptDelivery } from '../operations/webhooks/attempt-delivery.ts';

const AT_ONCE = 20;
const POLL_MS = 1_000;
/** Longer than any attempt can take. */
const LEASE_S = 60;

/** Sends messages as they come due, several at once, so that a slow receiver delays no other. Ends with `signal`. */
export async function deliverWebhooks(app: App, signal: AbortSignal): Promise<void> {
  if (!app.settings.features.enableWebhooks) return;
  const sending = new Set<Promise<void>>();
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
  const warn = (error: unknown) => app.log.warn('webhooks_not_sent', { error: toAppError(error).message });
  while (!signal.aborted) {
    const due = await claimDeliveries(app.database, AT_ONCE - sending.size, LEASE_S).catch((error: unknown) => {
      warn(error);
      return [];
    });
    for (const delivery of due) {
      const sent = attemptDelivery(app, delivery)
        .catch(warn)
        .finally(() => sending.delete(sent));
      sending.add(sent);
    }
    await Promise.race([stopped, wait(due.length === 0 ? POLL_MS : 0), ...(sending.size < AT_ONCE ? [] : sending)]);
  }
  await Promise.all(sending);
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
