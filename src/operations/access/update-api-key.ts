import { z } from 'zod';
import type { App } from '../../app.ts';
import { type ApiKeyChange, updateApiKeyRow } from '../../db/access/api-keys.ts';
import { type ApiKey, QuotaFields } from './api-key.ts';
import { checkCollections } from './check-collections.ts';
import { KeyCollections } from './create-api-key.ts';
import { foundKey, getApiKey } from './get-api-key.ts';

export const UpdateApiKeyInput = z
  .strictObject({
    name: z.string().trim().min(1).max(100).optional(),
    rate_limit_rpm: z.number().int().min(1).max(100_000).optional(),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().describe('Null: it does not expire.'),
    collections: KeyCollections.optional(),
    is_active: z.boolean().optional().describe('False: it does not work until this is true again.'),
    max_open_crawls: QuotaFields.max_open_crawls.optional(),
    max_pages_per_day: QuotaFields.max_pages_per_day.optional(),
  })
  .meta({ id: 'UpdateApiKey' });

/** What is absent stays. It holds from the next request of the key on, and ends streams the key may no longer follow. */
export async function updateApiKey(app: App, id: string, input: z.output<typeof UpdateApiKeyInput>): Promise<ApiKey> {
  const { collections, expires_at, ...rest } = input;
  const change = {
    ...rest,
    ...(expires_at === undefined ? {} : { expires_at: expires_at === null ? null : new Date(expires_at) }),
    ...(collections === undefined ? {} : { collections: await checkCollections(app, collections) }),
  } as ApiKeyChange;
  foundKey(await updateApiKeyRow(app.database, id, change), id);
  return getApiKey(app, id);
}
