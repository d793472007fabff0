import type { CrawlRow } from '../../db/crawls/crawls.ts';
import type { Subscriber } from '../../db/webhooks/subscribers.ts';
import type { NewDelivery } from '../../db/webhooks/webhook-deliveries.ts';
import { newId } from '../../ids.ts';
import { toCrawl } from '../crawls/crawl.ts';
import { MAX_ATTEMPTS } from './delivery-schedule.ts';
import type { MessageEvent, MessageFacts } from './message-facts.ts';
import { includesEvent, PAGE_KINDS, PAGES, type WebhookEvent } from './webhook-events.ts';
import { compileFilter } from './webhook-filter.ts';

type PageEvent = Extract<MessageEvent, { kind: (typeof PAGE_KINDS)[number] }>;
type SingleEvent = Exclude<MessageEvent, PageEvent>;

const PAGES_A_MESSAGE = 100;
const isPage = (event: MessageEvent): event is PageEvent => (PAGE_KINDS as readonly string[]).includes(event.kind);

/**
 * The messages to one webhook about events of the log, in their order. Pages of a crawl that follow each other share a
 * message, a hundred at most; its end, or any other event of the crawl, comes after them.
 */
export function writeMessages(
  webhook: Subscriber,
  events: readonly MessageEvent[],
  { crawlOf, factsOf }: MessageFacts,
): NewDelivery[] {
  const passes = compileFilter(webhook.filter);
  const written: NewDelivery[] = [];
  /** The last message about pages of each crawl, while it takes further ones. */
  const open = new Map<string | null, PageMessage>();
  const write = (event: WebhookEvent, { crawl_id }: MessageEvent, payload: NewDelivery['payload']) =>
    written.push({ id: newId(), webhook_id: webhook.id, crawl_id, event, payload, max_attempts: MAX_ATTEMPTS });
  for (const event of events) {
    const name = isPage(event) ? PAGES : event.kind;
    const facts = factsOf(event);
    if (!includesEvent(webhook.events, name) || !covers(webhook, event, facts?.source_id)) continue;
    if (facts !== undefined && !passes(facts)) continue;
    const crawl = crawlOf(event);
    if (!isPage(event)) {
      const data = toData(event, crawl);
      if (data === undefined) continue;
      open.delete(event.crawl_id);
      write(name, event, { type: name, timestamp: timeOf(event), data });
    } else if (!addPage(open.get(event.crawl_id), event)) {
      const message = toPageMessage(event, crawl);
      open.set(event.crawl_id, message);
      write(name, event, message);
    }
  }
  return written;
}

type PageMessage = { type: typeof PAGES; timestamp: Date; data: { pages: unknown[] } };

const toPageMessage = (event: PageEvent, crawl: CrawlRow | undefined) => ({
  type: PAGES as typeof PAGES,
  timestamp: event.created_at,
  data: { crawl_id: event.crawl_id, source_id: crawl?.source_id ?? null, pages: [toPage(event)] },
});

/** False when there is no message to add it to, or the one there is has enough. */
function addPage(message: PageMessage | undefined, event: PageEvent): boolean {
  if (message === undefined || message.data.pages.length === PAGES_A_MESSAGE) return false;
  message.data.pages.push(toPage(event));
  message.timestamp = event.created_at;
  return true;
}

const toPage = ({ seq, kind, data, created_at }: PageEvent): unknown => ({
  ...{ seq, outcome: kind.slice('page.'.length), at: created_at },
  ...data,
});

function covers(webhook: Subscriber, { crawl_id }: MessageEvent, sourceId: string | null | undefined): boolean {
  if (webhook.crawl_id !== null) return webhook.crawl_id === crawl_id;
  return webhook.source_id === null || webhook.source_id === sourceId;
}

const timeOf = (event: SingleEvent): unknown =>
  'completed_at' in event.data && event.data.completed_at !== null
    ? new Date(event.data.completed_at)
    : event.created_at;

/** Undefined when there is nothing to report. */
function toData(event: SingleEvent, crawl: CrawlRow | undefined): unknown {
  switch (event.kind) {
    case 'crawl.started':
    case 'crawl.completed':
    case 'crawl.failed':
    case 'crawl.cancelled':
      return crawl === undefined ? undefined : toCrawlThen(event, crawl);
    case 'document.changed':
    case 'document.gone':
    case 'product.price_changed':
      return { ...event.data, crawl_id: event.crawl_id, source_id: crawl?.source_id ?? null };
    default:
      return event.data;
  }
}

type CrawlEvent = Extract<
  SingleEvent,
  { kind: 'crawl.started' | 'crawl.completed' | 'crawl.failed' | 'crawl.cancelled' }
>;

/** The crawl as it was at that event, also when it has gone on since. */
function toCrawlThen({ data }: CrawlEvent, crawl: CrawlRow): unknown {
  const { from: _, ...then } = data;
  if (!('revisits' in then))
    return toCrawl({ ...crawl, ...then, error: null, error_code: null, completed_at: null } as CrawlRow);
  // The first round of a recurring crawl is its end; every later visit of a page would be one more.
  if (then.revisits > 0) return undefined;
  const completed_at = then.completed_at === null ? null : new Date(then.completed_at);
  return toCrawl({ ...crawl, ...then, completed_at } as CrawlRow);
}
