import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listApiKeyRows } from '../../db/access/api-keys.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import { type ApiKey, toApiKey } from './api-key.ts';

export async function listApiKeys(app: App, input: z.output<typeof ListQuery>): Promise<ListPage<ApiKey>> {
  const rows = await listApiKeyRows(app.database, input.limit + 1, decodeIdCursor(input.cursor));
  return toListPage(rows, input.limit, (row) => [row.id], toApiKey);
}
