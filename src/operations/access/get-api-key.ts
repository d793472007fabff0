import type { App } from '../../app.ts';
import { findApiKey } from '../../db/access/api-keys.ts';
import { found } from '../found.ts';
import { type ApiKey, toApiKey } from './api-key.ts';

export const foundKey = <Row>(row: Row | undefined, id: string): Row =>
  found(row, 'API key', id, 'List them with GET /api/v1/api-keys, or your own with GET /api/v1/auth/keys.');

/** `userId`: those of other people are not there. */
export async function getApiKey(app: App, id: string, userId?: string): Promise<ApiKey> {
  return toApiKey(foundKey(await findApiKey(app.database, id, userId), id));
}
