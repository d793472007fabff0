import type { z } from 'zod';
import type { App } from '../../app.ts';
import { WEBHOOK_PURPOSE } from '../../db/admin/sealed-values.ts';
import {
  deleteWebhookRow,
  findWebhook,
  insertWebhook,
  listWebhookRows,
  rotateWebhookSecret,
  updateWebhookRow,
  WEBHOOK_SORTS,
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

export async function listWebhooks(
  app: App,
  sourceId: string,
  input: z.output<typeof ListWebhooksInput>,
): Promise<ListPage<Webhook>> {
  const page = await readList(app.database, listWebhookRows(sourceId), WEBHOOK_SORTS, input, toWebhook);
  if (page.items.length === 0) await getSource(app, sourceId);
  return page;
}

export async function createWebhook(
  app: App,
  sourceId: string,
  { secret = newSecret(), headers = {}, ...fields }: z.output<typeof CreateWebhookInput>,
): Promise<z.output<typeof WebhookWithSecret>> {
  checkWebhookUrl(app, fields.url);
  await getSource(app, sourceId);
  const row = await insertWebhook(
    app.database,
    { id: newId(), source_id: sourceId, secret: app.secrets.seal(WEBHOOK_PURPOSE, secret) },
    { ...fields, headers: sealWebhookHeaders(app, headers, fields.url) },
  );
  return { ...toWebhook(row), secret };
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
