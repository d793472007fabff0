import { z } from 'zod';
import type { ApiKeyRow } from '../../db/access/api-keys.ts';
import { Id, Time } from '../schemas.ts';

export const ScopeName = z.enum(['read', 'write', 'admin']);

/** A quota as it is set. */
const Limit = z.int32().min(0).nullable().describe('Null: the default of the settings. 0: no limit.');

export const QuotaFields = {
  max_open_crawls: Limit.describe('Crawls open at once. Null: the default of the settings. 0: no limit.'),
  max_pages_per_day: Limit.describe('Pages stored in a UTC day. Null: the default of the settings. 0: no limit.'),
};

/** A key as lists show it: the key itself is not kept. */
export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string().describe('The first characters of the key.'),
    scopes: z.array(ScopeName),
    rate_limit_rpm: z.number().int().describe('Requests a minute.'),
    owner: z
      .object({ id: Id, email: z.string() })
      .nullable()
      .describe('The person it belongs to: it ends with them, and can do no more than they can. Null: nobody.'),
    collections: z.array(Id).describe('The collections it is bound to: it sees nothing else. Empty: it is not bound.'),
    ...QuotaFields,
    created_at: Time,
    expires_at: Time.nullable(),
    last_used_at: Time.nullable(),
    is_active: z.boolean(),
  })
  .meta({ id: 'ApiKey' });

export type ApiKey = z.output<typeof ApiKey>;

export function toApiKey({ user_id, user_email, ...row }: ApiKeyRow): ApiKey {
  return { ...row, owner: user_id === null || user_email === null ? null : { id: user_id, email: user_email } };
}
