import { z } from 'zod';
import type { App } from '../../app.ts';
import { namesOf, sealHeaders } from '../../db/stored-headers.ts';
import type { WebhookRow } from '../../db/webhooks/webhooks.ts';
import { AppError } from '../../errors.ts';
import { maskUrl } from '../../web/mask-url.ts';
import { headerFields } from '../header-fields.ts';
import { Id, Json, Time } from '../schemas.ts';
import { Subscriptions } from './webhook-events.ts';
import { WebhookFilter } from './webhook-filter.ts';

/** What makes up the message itself. */
const RESERVED = /^(?:webhook-.*|content-.*)$/i;

/** Sent along with every message. */
export const WebhookHeaders = headerFields(RESERVED);

export const WebhookUrl = z.url({ protocol: /^https?$/ }).max(2_048);

export const WebhookInput = z.strictObject({
  url: WebhookUrl,
  headers: WebhookHeaders.optional().describe('Absent on a change: the stored ones stay while the origin does.'),
  events: Subscriptions.default(['crawl.completed', 'crawl.failed']),
  filter: WebhookFilter.default({}),
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
    source_id: Id.nullable().describe('Set for the webhook of a source.'),
    crawl_id: Id.nullable().describe('Set for the webhook that came with a crawl. Neither: it hears of everything.'),
    url: z.string().describe('Parts that may be secret are masked; sent back as it is, the address stays.'),
    header_names: z.array(z.string()).describe('What is sent along; the values may be secret and are not shown.'),
    events: z.array(z.string()),
    filter: WebhookFilter,
    is_active: z.boolean(),
    disabled_reason: z.string().nullable(),
    failing_since: Time.nullable().describe('No message was delivered since.'),
    previous_secret_until: Time.nullable().describe('Until then, the secret before the present one signs as well.'),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof Webhook>;

export const toWebhook = ({ headers, url, ...row }: WebhookRow): Webhook => ({
  ...row,
  url: maskUrl(url),
  header_names: namesOf(headers),
});

/** For the origin of the webhook: when its address moves to another one, the headers stay behind. */
export const sealWebhookHeaders = ({ secrets }: App, headers: Record<string, string>, url: string) =>
  sealHeaders(secrets, headers, [new URL(url).origin]);

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
    max_attempts: z.number().int().describe('It is given up after so many.'),
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
    throw new AppError('URL_BLOCKED', `the webhook ${maskUrl(url).slice(0, 200)} is refused: ${verdict.reason}`);
}
