import type { z } from 'zod';
import type { App } from '../../app.ts';
import { claimDelivery } from '../../db/webhooks/claim-deliveries.ts';
import {
  DELIVERY_SORTS,
  findDelivery,
  insertDeliveries,
  listDeliveryRows,
  resetDelivery,
} from '../../db/webhooks/webhook-deliveries.ts';
import { newId } from '../../ids.ts';
import { getCrawl } from '../crawls/get-crawl.ts';
import { found } from '../found.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { attemptDelivery, LEASE_S } from './attempt-delivery.ts';
import { getWebhook } from './manage-webhooks.ts';
import { WebhookDelivery } from './webhook.ts';

export const ListDeliveriesInput = ListQuery.extend({
  ...sortBy(DELIVERY_SORTS),
  status: WebhookDelivery.shape.status.optional(),
});
type Query = z.output<typeof ListDeliveriesInput>;

/** What was sent to a webhook, or is still to be sent. */
export async function listDeliveries(app: App, webhookId: string, query: Query): Promise<ListPage<WebhookDelivery>> {
  const listing = listDeliveryRows({ webhookId, status: query.status });
  const page = await readList(app.database, listing, DELIVERY_SORTS, query, (row) => row);
  if (page.items.length === 0) await getWebhook(app, webhookId);
  return page;
}

/** The messages about a crawl, to all its receivers. */
export async function listCrawlDeliveries(app: App, crawlId: string, query: Query): Promise<ListPage<WebhookDelivery>> {
  const listing = listDeliveryRows({ crawlId, status: query.status });
  const page = await readList(app.database, listing, DELIVERY_SORTS, query, (row) => row);
  if (page.items.length === 0) await getCrawl(app, crawlId);
  return page;
}

/** The same message once more, under the same id, so that a receiver recognises the repetition. */
export async function redeliver(app: App, webhookId: string, id: string): Promise<WebhookDelivery> {
  return found(await resetDelivery(app.database, webhookId, id), 'delivery', id);
}

/** Sends a message of no consequence at once, and answers how it went. */
export async function testWebhook(app: App, webhookId: string): Promise<WebhookDelivery> {
  await getWebhook(app, webhookId);
  const id = newId();
  const payload = { type: 'webhook.test', timestamp: new Date(), data: { webhook_id: webhookId } };
  await insertDeliveries(app.database, [
    { id, webhook_id: webhookId, crawl_id: null, event: 'webhook.test', payload, max_attempts: 1 },
  ]);
  const delivery = await claimDelivery(app.database, id, LEASE_S);
  if (delivery !== undefined) await attemptDelivery(app, delivery);
  return found(await findDelivery(app.database, id), 'delivery', id);
}
