import type { App } from '../app.ts';
import { END_KINDS } from '../db/events/kinds.ts';
import { ensureCrawlWebhooks, listCrawlsById, listListeners } from '../db/webhooks/crawl-webhooks.ts';
import { insertDeliveries, type NewDelivery } from '../db/webhooks/webhook-deliveries.ts';
import { newId } from '../ids.ts';
import { toCrawl } from '../operations/crawls/crawl.ts';
import { consumeEvents } from '../operations/events/consume-events.ts';

/**
 * Reads the ends of crawls from the log and writes a message for every webhook that subscribed to them. The position in the log
 * moves with the messages, so no end is lost and none is announced twice. A message shows the crawl as it was at that end, also
 * when it has gone on since.
 */
export async function planDeliveries(app: App): Promise<number> {
  let planned = 0;
  await consumeEvents(app.database, 'webhooks', END_KINDS, async (tx, events) => {
    const ids = [...new Set(events.map(({ crawl_id }) => crawl_id!))];
    const crawls = new Map((await listCrawlsById(tx, ids)).map((crawl) => [crawl.id, crawl]));
    const hooked = [...crawls.values()].filter(({ webhook_url }) => webhook_url !== null);
    await ensureCrawlWebhooks(
      tx,
      hooked.map(({ id }) => ({ id: newId(), crawl_id: id })),
    );
    const listeners = await listListeners(tx, ids);
    const deliveries = events.flatMap(({ crawl_id, kind, data, created_at }): NewDelivery[] => {
      const crawl = crawls.get(crawl_id!);
      if (crawl === undefined) return [];
      // The first round of a recurring crawl is its end; every later visit of a page would be one more.
      if (data.revisits > 0) return [];
      const { from: _, completed_at, ...end } = data;
      const then = { ...crawl, ...end, completed_at: completed_at === null ? null : new Date(completed_at) };
      const payload = { type: kind, timestamp: then.completed_at ?? created_at, data: toCrawl(then as typeof crawl) };
      return listeners
        .filter((listener) => listener.crawl_id === crawl_id && listener.events.includes(data.status))
        .map(({ webhook_id }) => ({ id: newId(), webhook_id, crawl_id: crawl_id!, event: kind, payload }));
    });
    await insertDeliveries(tx, deliveries);
    planned = deliveries.length;
  });
  return planned;
}
