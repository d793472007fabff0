import { z } from 'zod';

/**
 * Every kind of event, with the shape of its data. Writers and readers are typed by this table, and the API document is
 * made from it. A new kind is one line here and one call of `appendEvents`; those of crawls are written by a trigger
 * (docs/events.md), whose shapes a test holds to this table.
 */

const count = z.number().int();

/** Where a crawl stands after the change. */
const Counters = {
  status: z.string(),
  pages_discovered: count,
  pages_crawled: count,
  pages_failed: count,
  pages_skipped: count,
  pages_cancelled: count,
  current_depth: count,
};
const Moved = z.object({ ...Counters, from: z.string().describe('The status before.') });
const Ended = Moved.extend({
  error: z.string().nullable(),
  error_code: z.string().nullable(),
  completed_at: z.string().nullable(),
  revisits: count.describe('Above 0: a later round of a recurring crawl.'),
});
const Page = z.object({
  task_id: z.uuid(),
  url: z.string(),
  depth: count,
  http_status: count.nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
});
const Offer = z.object({
  price: z.string().nullable(),
  regular_price: z.string().nullable(),
  currency: z.string().nullable(),
  availability: z.string().nullable(),
});
const Document = z.object({ document_id: z.uuid(), url: z.string(), domain: z.string() });
const Alert = z.object({
  alert: z.string().describe('The name of the rule.'),
  severity: z.enum(['info', 'warning', 'critical']),
  message: z.string(),
});

export const EVENT_KINDS = {
  'crawl.created': z.object({
    kind: z.string(),
    url: z.string().describe('The first address.'),
    url_count: count,
    source_id: z.uuid().nullable(),
  }),
  'crawl.started': Moved,
  'crawl.progress': z.object({
    ...Counters,
    batch: z
      .object({ discovered: count, crawled: count, failed: count, skipped: count, cancelled: count })
      .describe('What changed since the event before.'),
  }),
  'crawl.paused': Moved,
  'crawl.resumed': Moved,
  'crawl.restarted': Moved,
  'crawl.completed': Ended,
  'crawl.failed': Ended,
  'crawl.cancelled': Ended,
  'page.stored': Page,
  'page.failed': Page,
  'page.skipped': Page,
  'document.changed': Document.extend({ version: count }),
  'document.gone': Document.extend({ reason: z.enum(['not_found', 'moved', 'noindex', 'duplicate']) }),
  'product.price_changed': z.object({ product_id: z.uuid(), url: z.string(), before: Offer, after: Offer }),
  'domain.blocked': z.object({ domain: z.string(), reason: z.string().nullable() }),
  'domain.unblocked': z.object({ domain: z.string() }),
  'domain.proxies_gone': z
    .object({ domain: z.string() })
    .describe('Its pool is empty: it is fetched directly from now on.'),
  'source.run': z.object({
    source_id: z.uuid(),
    crawl_id: z.uuid().nullable().describe('Null when no crawl could be started.'),
    scheduled: z.boolean(),
    error: z.string().nullable(),
  }),
  'alert.raised': Alert,
  'alert.cleared': Alert,
  'webhook.disabled': z.object({ webhook_id: z.uuid(), url: z.string().describe('Masked.'), reason: z.string() }),
  'alert.acknowledged': Alert,
  'admin.action': z.object({
    operation: z.string().describe('The operationId of the route.'),
    path: z.string(),
    status: count.describe('The HTTP status of the answer.'),
    code: z.string().nullable().describe('The error code, when it was refused.'),
    request_id: z.string(),
    before: z.record(z.string(), z.unknown()).nullable().describe('The fields that changed, as they were.'),
    after: z.record(z.string(), z.unknown()).nullable(),
  }),
} as const;

export type EventKind = keyof typeof EVENT_KINDS;
export type EventData<Kind extends EventKind> = z.output<(typeof EVENT_KINDS)[Kind]>;

export const KINDS = Object.keys(EVENT_KINDS) as [EventKind, ...EventKind[]];
