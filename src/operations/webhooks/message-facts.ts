import type { CrawlRow } from '../../db/crawls/crawls.ts';
import type { EventRow } from '../../db/events/read-events.ts';
import {
  listCrawlsById,
  listDocumentCollections,
  listSourcesById,
  listSubscribers,
  type Subscriber,
} from '../../db/webhooks/subscribers.ts';
import type { Sql } from '../../ports/database.ts';
import type { MESSAGE_KINDS } from './webhook-events.ts';
import { type Facts, priceChange } from './webhook-filter.ts';

export type MessageEvent = Extract<EventRow, { kind: (typeof MESSAGE_KINDS)[number] }>;

/** What messages about a batch of events are made of, read with one statement a table. */
export interface MessageFacts {
  subscribers: readonly Subscriber[];
  crawlOf(event: MessageEvent): CrawlRow | undefined;
  /** Undefined for events that are about the installation itself. */
  factsOf(event: MessageEvent): Facts | undefined;
}

const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));
const unique = (ids: readonly (string | null)[]) => [...new Set(ids.filter((id) => id !== null))];

export async function readMessageFacts(sql: Sql, events: readonly MessageEvent[]): Promise<MessageFacts> {
  const crawlIds = unique(events.map(({ crawl_id }) => crawl_id));
  const crawls = byId(await listCrawlsById(sql, crawlIds));
  const runs = events.flatMap(({ kind, data }) => (kind === 'source.run' ? [data.source_id] : []));
  const sourceIds = unique([...runs, ...[...crawls.values()].map(({ source_id }) => source_id)]);
  const subscribers = await listSubscribers(sql, crawlIds, sourceIds);
  const sources = byId(runs.length === 0 ? [] : await listSourcesById(sql, unique(runs)));
  const documentIds = events.flatMap(({ data }) => ('document_id' in data ? [data.document_id] : []));
  const documents = byId(documentIds.length === 0 ? [] : await listDocumentCollections(sql, documentIds));
  const crawlOf = ({ crawl_id }: MessageEvent) => (crawl_id === null ? undefined : crawls.get(crawl_id));

  function factsOf(event: MessageEvent): Facts | undefined {
    const crawl = crawlOf(event);
    const shared = { collection_id: crawl?.collection_id ?? null, source_id: crawl?.source_id ?? null };
    switch (event.kind) {
      case 'alert.raised':
      case 'alert.cleared':
      case 'webhook.disabled':
        return undefined;
      case 'source.run': {
        const source = sources.get(event.data.source_id);
        const urls = source === undefined ? [] : [source.url];
        return { urls, collection_id: source?.collection_id ?? null, source_id: event.data.source_id };
      }
      case 'document.changed':
      case 'document.gone': {
        const collection_id = documents.get(event.data.document_id)?.collection_id ?? shared.collection_id;
        return { ...shared, urls: [event.data.url], collection_id };
      }
      case 'product.price_changed':
        return { ...shared, urls: [event.data.url], price_change: priceChange(event.data) };
      case 'page.stored':
      case 'page.failed':
      case 'page.skipped':
        return { ...shared, urls: [event.data.url] };
      default:
        return { ...shared, urls: crawl?.urls ?? [] };
    }
  }

  return { subscribers, crawlOf, factsOf };
}
