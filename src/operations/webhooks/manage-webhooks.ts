import type { z } from 'zod';
import type { App } from '../../app.ts';
import { WEBHOOK_PURPOSE } from '../../db/admin/sealed-values.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  listWebhookRows,
  rotateWebhookSecret,
  updateWebhookRow,
  WEBHOOK_SORTS,
  type WebhookScope,
} from '../../db/webhooks/webhooks.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { maskUrl } from '../../web/mask-url.ts';
import { found } from '../found.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { getSource } from '../sources/get-source.ts';
import { newSecret } from './sign-message.ts';
import {
  type CreateWebhookInput,
  checkWebhookUrl,
  type RotateSecretInput,
  sealWebhookHeaders,
  toWebhook,
  type Webhook,
  type WebhookInput,
  type WebhookWithSecret,
} from './webhook.ts';

export const ListWebhooksInput = ListQuery.extend(sortBy(WEBHOOK_SORTS));

/** Each event is held against all of them. */
const MAX_WEBHOOKS = 100;

/** Of a source, or without one those that hear of everything. */
export async function listWebhooks(
  app: App,
  sourceId: string | null,
  input: z.output<typeof ListWebhooksInput>,
): Promise<ListPage<Webhook>> {
  const scope: WebhookScope = sourceId === null ? 'global' : { sourceId };
  const page = await readList(app.database, listWebhookRows(scope), WEBHOOK_SORTS, input, toWebhook);
  if (page.items.length === 0 && sourceId !== null) await getSource(app, sourceId);
  return page;
}

/** For a source, or without one for everything. */
export async function createWebhook(
  app: App,
  sourceId: string | null,
  { secret = newSecret(), headers = {}, ...fields }: z.output<typeof CreateWebhookInput>,
): Promise<z.output<typeof WebhookWithSecret>> {
  checkWebhookUrl(app, fields.url);
  if ((await countWebhooks(app.database, await scopeOf(app, sourceId))) >= MAX_WEBHOOKS)
    throw new AppError('CONFLICT', `there are ${MAX_WEBHOOKS} webhooks already, and no more are taken`, {
      hint: 'Delete one, or let one webhook subscribe to more events.',
    });
  const row = await insertWebhook(
    app.database,
    { id: newId(), source_id: sourceId, crawl_id: null, secret: app.secrets.seal(WEBHOOK_PURPOSE, secret) },
    { ...fields, headers: sealWebhookHeaders(app, headers, fields.url) },
  );
  return { ...toWebhook(row), secret };
}

async function scopeOf(app: App, sourceId: string | null): Promise<WebhookScope> {
  return sourceId === null ? 'global' : { sourceId: (await getSource(app, sourceId)).id };
}

export async function getWebhook(app: App, id: string): Promise<Webhook> {
  return toWebhook(found(await findWebhook(app.database, id), 'webhook', id));
}

export async function updateWebhook(app: App, id: string, input: z.output<typeof WebhookInput>): Promise<Webhook> {
  checkWebhookUrl(app, input.url);
  const stored = found(await findWebhook(app.database, id), 'webhook', id);
  // Answers show the address masked; a caller that sends it back means the one that is stored.
  const url = input.url === maskUrl(stored.url) ? stored.url : input.url;
  const { origin } = new URL(url);
  const kept = Object.hasOwn(stored.headers, origin) ? { [origin]: stored.headers[origin]! } : {};
  const headers = input.headers === undefined ? kept : sealWebhookHeaders(app, input.headers, url);
  return toWebhook(found(await updateWebhookRow(app.database, id, { ...input, url, headers }), 'webhook', id));
}

export async function deleteWebhook(app: App, id: string): Promise<void> {
  found(await deleteWebhookRow(app.database, id), 'webhook', id);
}

/** From now on the new secret signs, and the old one beside it until the overlap is over. */
export async function rotateSecret(
  app: App,
  id: string,
  { secret = newSecret(), overlap_s }: z.output<typeof RotateSecretInput>,
): Promise<z.output<typeof WebhookWithSecret>> {
  const webhook = await getWebhook(app, id);
  if (webhook.crawl_id !== null)
    throw new AppError('STATE_CONFLICT', 'the webhook of a crawl has no secret of its own', {
      hint: 'It is signed with the secret of the installation: POST /api/v1/webhooks/secret/rotate.',
    });
  const row = found(
    await rotateWebhookSecret(app.database, id, app.secrets.seal(WEBHOOK_PURPOSE, secret), overlap_s),
    'webhook',
    id,
  );
  return { ...toWebhook(row), secret };
}
