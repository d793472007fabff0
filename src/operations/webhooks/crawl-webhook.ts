import { z } from 'zod';
import type { App } from '../../app.ts';
import { insertWebhook, type WebhookFields } from '../../db/webhooks/webhooks.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Transaction } from '../../ports/database.ts';
import { checkWebhookUrl, sealWebhookHeaders, WebhookHeaders, WebhookUrl } from './webhook.ts';
import { CRAWL_ENDS, Subscriptions } from './webhook-events.ts';
import { WebhookFilter } from './webhook-filter.ts';

const CrawlWebhook = z
  .strictObject({
    url: WebhookUrl,
    headers: WebhookHeaders.optional(),
    events: Subscriptions.optional().describe('Absent: the ends of the crawl. As for other webhooks.'),
    filter: WebhookFilter.optional(),
  })
  .meta({ id: 'CrawlWebhook' });

/** The fields of a request that starts a crawl. */
export const CrawlWebhookInput = {
  webhook_url: WebhookUrl.optional().describe('Receives a message when the crawl has ended.'),
  webhook_headers: WebhookHeaders.optional(),
  webhook: CrawlWebhook.optional().describe('Instead of webhook_url, with a choice of events.'),
};

export interface GivenWebhook {
  webhook_url?: string | undefined;
  webhook_headers?: Record<string, string> | undefined;
  webhook?: z.output<typeof CrawlWebhook> | undefined;
}

/** The webhook a request asks for, ready to be stored; undefined when it asks for none. */
export function readCrawlWebhook(app: App, given: GivenWebhook): WebhookFields | undefined {
  if (given.webhook !== undefined && given.webhook_url !== undefined)
    throw new AppError('VALIDATION_FAILED', 'webhook and webhook_url are both given', {
      details: { 'body.webhook': 'give it or webhook_url' },
    });
  const { url, headers, events, filter } = given.webhook ?? { url: given.webhook_url, headers: given.webhook_headers };
  if (url === undefined) return undefined;
  checkWebhookUrl(app, url);
  return {
    url,
    headers: sealWebhookHeaders(app, headers ?? {}, url),
    events: events ?? [...CRAWL_ENDS],
    filter: filter ?? {},
    is_active: true,
  };
}

export async function insertWebhookOfCrawl(tx: Transaction, crawlId: string, fields: WebhookFields): Promise<void> {
  await insertWebhook(tx, { id: newId(), crawl_id: crawlId, source_id: null, secret: null }, fields);
}
