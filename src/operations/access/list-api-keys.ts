import type { z } from 'zod';
import type { App } from '../../app.ts';
import { API_KEY_SORTS, listApiKeyRows } from '../../db/access/api-keys.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { type ApiKey, toApiKey } from './api-key.ts';

export const ListApiKeysInput = ListQuery.extend(sortBy(API_KEY_SORTS));

export const listApiKeys = (app: App, input: z.output<typeof ListApiKeysInput>): Promise<ListPage<ApiKey>> =>
  readList(app.database, listApiKeyRows(), API_KEY_SORTS, input, toApiKey);
