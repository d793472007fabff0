import { z } from 'zod';
import type { App } from '../../app.ts';
import type { WebhookRow } from '../../db/webhooks/webhooks.ts';
import { AppError } from '../../errors.ts';
import { Id, Json, Time } from '../schemas.ts';

const RESERVED = /^(webhook-|content-|host$|connection$|transfer-encoding$|upgrade$|te$|trailer$|expect$|proxy-)/i;

/** Sent along with every message. What makes up the message itself cannot be set. */
export const WebhookHeaders = z
  .record(
    z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'a header name')
      .refine((name) => !RESERVED.test(name), 'this header is set by the sender'),
    z
      .string()
      .max(4_096)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'text without control characters'),
  )
  .refine((headers) => Object.keys(headers).length <= 50, 'at most 50 headers');

export const WebhookUrl = z.url({ protocol: /^https?$/ }).max(2_048);

const WebhookEvent = z.enum(['completed', 'failed', 'cancelled']);

export const WebhookInput = z.strictObject({
  url: WebhookUrl,
  headers: WebhookHeaders.default({}),
  events: z.array(WebhookEvent).min(1).default(['completed', 'failed']).describe('Ends of a crawl to be told of.'),
  is_active: z.boolean().default(true).describe('Turning it on forgets why it was turned off.'),
});

const Secret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'whsec_ and 24 to 64 bytes in base64')
  .describe('Absent: one is made.');

export const CreateWebhookInput = WebhookInput.extend({ secret: Secret.optional() });

export const RotateSecretInput = z.strictObject({
  secret: Secret.optional(),
  overlap_s: z
    .number()
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .describe('How long the old secret signs as well.'),
});

export const Webhook = z
  .object({
    id: Id,
    source_id: Id.nullable(),
    crawl_id: Id.nullable().describe('Set for the webhook that came with a crawl.'),
    url: z.string(),
    header_names: z.array(z.string()).describe('What is sent along; the values may be secret and are not shown.'),
    events: z.array(z.string()),
    is_active: z.boolean(),
    disabled_reason: z.string().nullable(),
    previous_secret_until: Time.nullable().describe('Until then, the secret before the present one signs as well.'),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof Webhook>;

export const toWebhook = ({ headers, ...row }: WebhookRow): Webhook => ({
  ...row,
  header_names: Object.keys(headers),
});

export const WebhookWithSecret = Webhook.extend({ secret: z.string().describe('Shown this once.') }).meta({
  id: 'WebhookWithSecret',
});

export const WebhookDelivery = z
  .object({
    id: Id,
    webhook_id: Id,
    crawl_id: Id.nullable(),
    event: z.string(),
    payload: Json,
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number().int(),
    next_attempt_at: Time.nullable(),
    last_attempt_at: Time.nullable(),
    response_status: z.number().int().nullable(),
    response_body: z.string().nullable().describe('Its first 1,000 characters.'),
    error: z.string().nullable(),
    created_at: Time,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** An address no message could ever be sent to is refused when it is given. */
export function checkWebhookUrl(app: App, url: string): void {
  const verdict = app.guard.checkUrl(new URL(url));
  if (!verdict.allowed)
    throw new AppError('URL_BLOCKED', `the webhook ${url.slice(0, 200)} is refused: ${verdict.reason}`);
}
