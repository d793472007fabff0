import type { App } from '../app.ts';
import { deleteApiKeysNamed } from '../db/api-keys.ts';
import { createApiKey } from './create-api-key.ts';

const NAME = 'Command line on this machine';

/** The key that commands of the same data folder use. A new start replaces it. */
export async function createLocalKey(app: App): Promise<string> {
  await deleteApiKeysNamed(app.database, NAME);
  return (await createApiKey(app, { name: NAME, scopes: ['admin'], rate_limit_rpm: 10_000 })).key;
}
