import type { App } from '../../app.ts';
import { WEBHOOK_PURPOSE } from '../../db/admin/sealed-values.ts';
import { openHeaders } from '../../db/stored-headers.ts';
import { type ClaimedDelivery, finishDelivery } from '../../db/webhooks/claim-deliveries.ts';
import { noteFailure, noteSuccess } from '../../db/webhooks/webhook-health.ts';
import { toAppError } from '../../errors.ts';
import { parseRetryAfter } from '../../pipeline/fetch/retry.ts';
import { maskUrl } from '../../web/mask-url.ts';
import { nextDelay } from './delivery-schedule.ts';
import { readSharedSecrets } from './shared-secret.ts';
import { signMessage } from './sign-message.ts';
import { turnOffWebhook } from './turn-off-webhook.ts';

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 1024 * 1024;
const KEPT_CHARACTERS = 1_000;

/** How long a message is out of the reach of other senders: longer than any attempt can take. */
export const LEASE_S = 60;

/** Sends a message once and writes down how it went. Only 2xx is a success; a redirect is none. */
export async function attemptDelivery(app: App, delivery: ClaimedDelivery): Promise<void> {
  const { database } = app;
  const { attempts, max_attempts, webhook_id } = delivery;
  if (!delivery.is_active) {
    const over = { status: 'failed' as const, delay_s: null, response_status: null, response_body: null };
    return finishDelivery(database, delivery, { ...over, error: 'the webhook is off' });
  }
  const { status, retryAfterMs, ...outcome } = await send(app, delivery);
  if (status !== null && status >= 200 && status < 300) {
    const done = { status: 'delivered' as const, delay_s: null, response_status: status };
    await finishDelivery(database, delivery, { ...outcome, ...done });
    return noteSuccess(database, webhook_id);
  }
  const delay_s = status === 410 ? null : nextDelay(attempts, max_attempts, retryAfterMs);
  await finishDelivery(database, delivery, {
    ...outcome,
    status: delay_s === null ? 'failed' : 'pending',
    delay_s,
    response_status: status,
    error: reasonOf(status, outcome),
  });
  const days = await noteFailure(database, webhook_id);
  const { disableAfterD } = app.settings.webhooks;
  if (status === 410) await turnOffWebhook(app, delivery, 'the receiver answered 410: it is gone');
  // A message was given up, and in all that time no other one was delivered.
  else if (delay_s === null && max_attempts > 1 && disableAfterD > 0 && days >= disableAfterD)
    await turnOffWebhook(
      app,
      delivery,
      `nothing was delivered for ${Math.floor(days)} days: ${reasonOf(status, outcome)}`,
    );
}

const reasonOf = (status: number | null, { error }: { error: string | null }) =>
  error ?? `the receiver answered ${status}`;

interface Answer {
  status: number | null;
  response_body: string | null;
  error: string | null;
  retryAfterMs: number | undefined;
}

async function send(app: App, { id, payload, url, headers, ...delivery }: ClaimedDelivery): Promise<Answer> {
  try {
    const sealed = [delivery.secret, delivery.previous_secret].filter((secret) => secret !== null);
    const secrets =
      delivery.secret === null
        ? await readSharedSecrets(app)
        : sealed.map((secret) => app.secrets.open(WEBHOOK_PURPOSE, secret));
    const messageId = `msg_${id}`;
    const timestamp = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify(payload);
    const response = await app.fetcher.fetch({
      url,
      method: 'POST',
      body,
      headers: {
        ...openHeaders(app.secrets, headers, url),
        'content-type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signMessage(secrets, messageId, timestamp, body),
      },
      maxRedirects: 0,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const text = Buffer.from(response.body).toString('utf8').replaceAll('\0', '').slice(0, KEPT_CHARACTERS);
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now(), DAY_MS);
    return { status: response.status, response_body: text, error: null, retryAfterMs };
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    const error = `${code}: ${message.replaceAll(url, maskUrl(url))}`;
    return { status: null, response_body: null, error, retryAfterMs: undefined };
  }
}
