import { z } from 'zod';

/** Kinds of the log that are sent one event a message, under their own name. */
const SINGLE_KINDS = [
  'crawl.started',
  'crawl.completed',
  'crawl.failed',
  'crawl.cancelled',
  'document.changed',
  'document.gone',
  'product.price_changed',
  'source.run',
  'alert.raised',
  'alert.cleared',
  'webhook.disabled',
] as const;

/** Kinds that are sent together, as `crawl.page`. */
export const PAGE_KINDS = ['page.stored', 'page.failed', 'page.skipped'] as const;

/** What the planner of messages reads from the log. */
export const MESSAGE_KINDS = [...SINGLE_KINDS, ...PAGE_KINDS] as const;

export const PAGES = 'crawl.page';
export type WebhookEvent = (typeof SINGLE_KINDS)[number] | typeof PAGES;

const groupOf = (event: string) => `${event.split('.', 1)[0]}.*`;
const WILDCARDS = ['*', ...new Set(SINGLE_KINDS.map(groupOf))];
/** Names of the design, from when only the ends of crawls were sent. */
const SHORT_NAMES = ['completed', 'failed', 'cancelled'] as const;
const isShort = (name: string) => (SHORT_NAMES as readonly string[]).includes(name);

export const CRAWL_ENDS = ['crawl.completed', 'crawl.failed', 'crawl.cancelled'] as const;

/** What a webhook subscribes to; it leaves under the full names, each once. */
export const Subscriptions = z
  .array(z.enum([...SINGLE_KINDS, PAGES, ...WILDCARDS, ...SHORT_NAMES]))
  .min(1)
  .max(50)
  .transform((names) => [...new Set(names.map((name) => (isShort(name) ? `crawl.${name}` : name)))])
  .describe(
    'Names of events. crawl.* stands for all of a group and * for all; crawl.page is many messages and has to be named ' +
      'itself. completed, failed and cancelled are other names for crawl.completed and so on.',
  );

/** Whether a subscription includes an event. A wildcard stands for no pages: each page fetched would be an event. */
export function includesEvent(subscribed: readonly string[], event: WebhookEvent): boolean {
  if (subscribed.includes(event)) return true;
  return event !== PAGES && (subscribed.includes('*') || subscribed.includes(groupOf(event)));
}
