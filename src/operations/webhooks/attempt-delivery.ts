import type { App } from '../../app.ts';
import { WEBHOOK_PURPOSE } from '../../db/admin/sealed-values.ts';
import { openHeaders } from '../../db/stored-headers.ts';
import { type AttemptResult, type ClaimedDelivery, finishDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { disableWebhook } from '../../db/webhooks/webhooks.ts';
import { toAppError } from '../../errors.ts';
import { parseRetryAfter } from '../../pipeline/fetch/retry.ts';
import { maskUrl } from '../../web/mask-url.ts';
import { readSharedSecrets } from './shared-secret.ts';
import { signMessage } from './sign-message.ts';

/** Between attempts, in seconds: about a day in all. */
const DELAYS_S = [5, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];
const DAY_MS = 86_400_000;
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 1024 * 1024;
const KEPT_CHARACTERS = 1_000;

/** Sends a message once and writes down how it went. Only 2xx is a success; a redirect is none. */
export async function attemptDelivery(app: App, delivery: ClaimedDelivery, lastAttempt = false): Promise<void> {
  const { id, attempts, webhook_id: webhookId } = delivery;
  if (!delivery.is_active) {
    const over = { status: 'failed' as const, delay_s: null, response_status: null, response_body: null };
    return finishDelivery(app.database, delivery, { ...over, error: 'the webhook is off' });
  }
  const { status, retryAfterMs, ...outcome } = await send(app, delivery);
  const planned = lastAttempt ? undefined : DELAYS_S[attempts - 1];
  const delay_s =
    planned === undefined ? null : Math.max((retryAfterMs ?? 0) / 1_000, planned) * (1 + Math.random() / 10);
  const delivered = status !== null && status >= 200 && status < 300;
  const result: AttemptResult = {
    ...outcome,
    status: delivered ? 'delivered' : delay_s === null ? 'failed' : 'pending',
    delay_s: delivered ? null : delay_s,
    response_status: status,
    error: delivered ? null : (outcome.error ?? `the receiver answered ${status}`),
  };
  await finishDelivery(app.database, { id, attempts }, result);
  if (status === 410) await disableWebhook(app.database, webhookId, 'the receiver answered 410: it is gone');
}

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
