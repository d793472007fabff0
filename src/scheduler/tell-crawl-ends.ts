import type { App } from '../app.ts';
import { ensureCrawlWebhooks, listListeners, takeCrawlEnds } from '../db/crawls/crawl-ends.ts';
import { insertDeliveries } from '../db/webhooks/webhook-deliveries.ts';
import { newId } from '../ids.ts';
import { toCrawl } from '../operations/crawls/crawl.ts';

const BATCH = 100;
const ENDED = new Set(['completed', 'failed', 'cancelled']);

/**
 * Writes a message for everybody who wants to know that a crawl has ended. The statement that ends a crawl leaves a mark;
 * mark and messages are exchanged in one transaction, so no end is lost and none is told twice. A crawl that goes on
 * again before it was told of is told of when it ends for good.
 */
export async function tellCrawlEnds(app: App): Promise<number> {
  return app.database.transaction(async (tx) => {
    const crawls = (await takeCrawlEnds(tx, BATCH)).filter(({ status }) => ENDED.has(status));
    if (crawls.length === 0) return 0;
    await ensureCrawlWebhooks(
      tx,
      crawls.filter(({ webhook_url }) => webhook_url !== null).map(({ id }) => ({ id: newId(), crawl_id: id })),
    );
    const byId = new Map(crawls.map((crawl) => [crawl.id, crawl]));
    const listeners = await listListeners(tx, [...byId.keys()]);
    await insertDeliveries(
      tx,
      listeners.map(({ webhook_id, crawl_id }) => {
        const crawl = byId.get(crawl_id)!;
        const event = `crawl.${crawl.status}`;
        const payload = { type: event, timestamp: crawl.completed_at ?? crawl.updated_at, data: toCrawl(crawl) };
        return { id: newId(), webhook_id, crawl_id, event, payload };
      }),
    );
    return listeners.length;
  });
}
