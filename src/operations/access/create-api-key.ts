import { z } from 'zod';
import type { App } from '../../app.ts';
import { insertApiKey } from '../../db/access/api-keys.ts';
import { newId } from '../../ids.ts';
import { ApiKey, QuotaFields, ScopeName, toApiKey } from './api-key.ts';
import { checkCollections } from './check-collections.ts';
import { newApiKey } from './tokens.ts';

export const KeyCollections = z
  .array(z.uuid())
  .max(100)
  .describe('Binds the key to these collections: it sees nothing else. Empty: it is not bound.');

export const CreateApiKeyInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(ScopeName).min(1).default(['read']),
  rate_limit_rpm: z.number().int().min(1).max(100_000).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional().describe('Absent: the key does not expire.'),
  collections: KeyCollections.optional(),
  max_open_crawls: QuotaFields.max_open_crawls.optional(),
  max_pages_per_day: QuotaFields.max_pages_per_day.optional(),
});

export const CreatedApiKey = ApiKey.extend({ key: z.string().describe('Shown this once.') }).meta({
  id: 'CreatedApiKey',
});

/** `userId`: the person it belongs to. */
export async function createApiKey(
  app: App,
  input: z.output<typeof CreateApiKeyInput>,
  userId?: string,
): Promise<z.output<typeof CreatedApiKey>> {
  const made = newApiKey();
  const row = await insertApiKey(app.database, {
    id: newId(),
    name: input.name,
    prefix: made.prefix,
    hash: made.hash,
    scopes: [...new Set(input.scopes)],
    rpm: input.rate_limit_rpm ?? app.settings.rateLimit.apiRpm,
    userId: userId ?? null,
    expiresAt: input.expires_at === undefined ? null : new Date(input.expires_at),
    collections: await checkCollections(app, input.collections ?? []),
    max_open_crawls: input.max_open_crawls ?? null,
    max_pages_per_day: input.max_pages_per_day ?? null,
  });
  return { ...toApiKey(row), key: made.key };
}
