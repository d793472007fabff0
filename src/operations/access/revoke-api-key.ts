import type { App } from '../../app.ts';
import { deleteApiKeyRow } from '../../db/access/api-keys.ts';
import { foundKey } from './get-api-key.ts';

/** `userId`: those of other people are not there. */
export async function revokeApiKey(app: App, id: string, userId?: string): Promise<void> {
  foundKey(await deleteApiKeyRow(app.database, id, userId), id);
}
