import { z } from 'zod';
import type { App } from '../../app.ts';
import { API_KEY_SORTS, listApiKeyRows } from '../../db/access/api-keys.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { Id } from '../schemas.ts';
import { type ApiKey, toApiKey } from './api-key.ts';

export const ListOwnKeysInput = ListQuery.extend({
  ...sortBy(API_KEY_SORTS),
  active: z.stringbool().or(z.boolean()).optional().describe('Whether they can be used now.'),
});
export const ListApiKeysInput = ListOwnKeysInput.extend({
  owner: Id.optional().describe('The person they belong to.'),
});

export const listApiKeys = (app: App, input: z.output<typeof ListApiKeysInput>): Promise<ListPage<ApiKey>> =>
  readList(app.database, listApiKeyRows({ userId: input.owner, active: input.active }), API_KEY_SORTS, input, toApiKey);
