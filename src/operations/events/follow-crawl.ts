import type { App } from '../../app.ts';
import { type CrawlRow, getCrawlRow } from '../../db/crawls/crawls.ts';
import { findOldestSeq, readCrawlEvents } from '../../db/events/read-events.ts';
import { toCrawl } from '../crawls/crawl.ts';
import { found } from '../found.ts';
import { FEED_PAGE, type Feed, textOf } from './feed.ts';

/**
 * The events of a crawl, until it is over. `after` is the number of the last event the listener has: it gets every one
 * since. Without it, or where retention has left a gap, the feed opens with the crawl as it is, numbered by its last event.
 */
export async function followCrawl({ database }: Pick<App, 'database'>, id: string, after?: number): Promise<Feed> {
  const crawl = found(await getCrawlRow(database, id), 'crawl', id);
  const resumes = after !== undefined && (await isKept(database, crawl, after));
  let seq = resumes ? after : crawl.event_seq;
  let over = isOver(crawl);
  const snapshot = () => ({
    name: 'crawl.snapshot',
    id: String(crawl.event_seq),
    text: JSON.stringify(toCrawl(crawl)),
  });
  return {
    crawlId: id,
    access: 'read',
    collectionId: crawl.collection_id,
    opening: resumes ? [] : [snapshot()],
    read: () => readCrawlEvents(database, id, seq, FEED_PAGE),
    take(events) {
      const fresh = events.filter((event) => event.seq !== null && event.seq > seq);
      for (const { data } of fresh) if ('pages_discovered' in data) over = isOver(data);
      seq = fresh.at(-1)?.seq ?? seq;
      return fresh.map((event) => ({ name: event.kind, id: String(event.seq), text: textOf(event) }));
    },
    done: () => over && seq >= crawl.event_seq,
  };
}

/** Whether every event after number `after` is still in the log. */
async function isKept(database: App['database'], crawl: CrawlRow, after: number): Promise<boolean> {
  if (after >= crawl.event_seq) return after === crawl.event_seq;
  const oldest = await findOldestSeq(database, crawl.id);
  return oldest !== undefined && oldest <= after + 1;
}

type Counters = 'pages_discovered' | 'pages_crawled' | 'pages_failed' | 'pages_skipped' | 'pages_cancelled';

/** A crawl that is cancelled says so before its tasks are: it is over when they are too. */
function isOver(crawl: Pick<CrawlRow, Counters> & { status: string }): boolean {
  const done = crawl.pages_crawled + crawl.pages_failed + crawl.pages_skipped + crawl.pages_cancelled;
  return ['completed', 'failed', 'cancelled'].includes(crawl.status) && done >= crawl.pages_discovered;
}
