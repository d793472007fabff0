import type { App } from '../../app.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import { disableWebhook } from '../../db/webhooks/webhook-health.ts';
import { maskUrl } from '../../web/mask-url.ts';

/** Nothing more is sent to it, and the log says why. Its user turns it on again. */
export async function turnOffWebhook(
  { database, pubsub }: App,
  webhook: { webhook_id: string; url: string },
  reason: string,
): Promise<void> {
  const { webhook_id } = webhook;
  await database.transaction(async (tx) => {
    const data = { webhook_id, url: maskUrl(webhook.url), reason };
    if (await disableWebhook(tx, webhook_id, reason))
      await appendEvents(tx, [{ kind: 'webhook.disabled', subject: webhook_id, data }]);
  });
  await wakeReaders(pubsub);
}
