import { z } from 'zod';
import type { App } from '../../app.ts';
import { listApiKeyRows } from '../../db/access/api-keys.ts';
import { decodeIdCursor, type ListPage, ListQuery, toListPage } from '../paging.ts';
import { Id } from '../schemas.ts';
import { type ApiKey, toApiKey } from './api-key.ts';

export const ListOwnKeysInput = ListQuery.extend({
  active: z.stringbool().or(z.boolean()).optional().describe('Whether they can be used now.'),
});
export const ListApiKeysInput = ListOwnKeysInput.extend({
  owner: Id.optional().describe('The person they belong to.'),
});

export async function listApiKeys(app: App, input: z.output<typeof ListApiKeysInput>): Promise<ListPage<ApiKey>> {
  const rows = await listApiKeyRows(app.database, {
    limit: input.limit + 1,
    beforeId: decodeIdCursor(input.cursor),
    userId: input.owner,
    active: input.active,
  });
  return toListPage(rows, input.limit, (row) => [row.id], toApiKey);
}
