import type { App } from '../../app.ts';
import { deleteApiKeyRow } from '../../db/access/api-keys.ts';
import { AppError } from '../../errors.ts';

export async function revokeApiKey(app: App, id: string): Promise<void> {
  if (!(await deleteApiKeyRow(app.database, id)))
    throw new AppError('NOT_FOUND', `there is no API key ${id}`, { hint: 'List them with GET /api/v1/api-keys.' });
}
