import type { EventRow } from '../../db/events/read-events.ts';
import type { Figure } from '../../db/stats/stats.ts';

/** The kinds of events that count. */
export const COUNTED_KINDS = [
  'crawl.created',
  'crawl.progress',
  'crawl.completed',
  'crawl.failed',
  'document.changed',
  'document.gone',
  'product.price_changed',
  'alert.raised',
] as const;
type CountedEvent = Extract<EventRow, { kind: (typeof COUNTED_KINDS)[number] }>;

/** Figures that come from the log of events. */
export const EVENT_METRICS = [
  'crawls_created',
  'crawls_completed',
  'crawls_failed',
  'pages_discovered',
  'pages_crawled',
  'pages_failed',
  'pages_skipped',
  'documents_changed',
  'documents_gone',
  'price_changes',
  'alerts_raised',
] as const;
type EventMetric = (typeof EVENT_METRICS)[number];

/** What an event adds to the figures of its moment. */
export function toFigures(event: CountedEvent): Figure[] {
  return Object.entries(countEvent(event))
    .filter(([, value]) => value > 0)
    .map(([metric, value]) => ({ at: event.created_at, domain: '', metric, value }));
}

function countEvent(event: CountedEvent): Partial<Record<EventMetric, number>> {
  switch (event.kind) {
    case 'crawl.created':
      return { crawls_created: 1 };
    case 'crawl.completed':
      return { crawls_completed: 1 };
    case 'crawl.failed':
      return { crawls_failed: 1 };
    case 'crawl.progress': {
      // Pages that are restarted leave a crawl's counters; here they count once more when they are done again.
      const { discovered, crawled, failed, skipped } = event.data.batch;
      return { pages_discovered: discovered, pages_crawled: crawled, pages_failed: failed, pages_skipped: skipped };
    }
    case 'document.changed':
      return { documents_changed: 1 };
    case 'document.gone':
      return { documents_gone: 1 };
    case 'product.price_changed':
      return { price_changes: 1 };
    case 'alert.raised':
      return { alerts_raised: 1 };
  }
}
