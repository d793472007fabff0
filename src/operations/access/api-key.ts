import { z } from 'zod';
import type { ApiKeyRow } from '../../db/access/api-keys.ts';
import { Id, Time } from '../schemas.ts';

export const ScopeName = z.enum(['read', 'write', 'admin']);

/** A key as lists show it: the key itself is not kept. */
export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string().describe('The first characters of the key.'),
    scopes: z.array(ScopeName),
    rate_limit_rpm: z.number().int().describe('Requests a minute.'),
    created_at: Time,
    expires_at: Time.nullable(),
    last_used_at: Time.nullable(),
    is_active: z.boolean(),
  })
  .meta({ id: 'ApiKey' });

export type ApiKey = z.output<typeof ApiKey>;
export const toApiKey = (row: ApiKeyRow): ApiKey => row;
