import { z } from 'zod';
import type { App } from '../../app.ts';
import { insertApiKey } from '../../db/access/api-keys.ts';
import { newId } from '../../ids.ts';
import { ApiKey, ScopeName, toApiKey } from './api-key.ts';
import { newApiKey } from './tokens.ts';

export const CreateApiKeyInput = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(ScopeName).min(1).default(['read']),
  rate_limit_rpm: z.number().int().min(1).max(100_000).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional().describe('Absent: the key does not expire.'),
});

export const CreatedApiKey = ApiKey.extend({ key: z.string().describe('Shown this once.') }).meta({
  id: 'CreatedApiKey',
});

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
    userId,
    expiresAt: input.expires_at === undefined ? undefined : new Date(input.expires_at),
  });
  return { ...toApiKey(row), key: made.key };
}
