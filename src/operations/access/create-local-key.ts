import { hostname } from 'node:os';
import type { App } from '../../app.ts';
import { deleteApiKeysNamed } from '../../db/access/api-keys.ts';
import { createApiKey } from './create-api-key.ts';

/** The key that commands of the same data folder use. A new start replaces it. */
export async function createLocalKey(app: App): Promise<string> {
  const name = `Command line on ${hostname()}, ${app.settings.dataDir}`.slice(0, 100);
  await deleteApiKeysNamed(app.database, name);
  const unlimited = { max_open_crawls: 0, max_pages_per_day: 0 };
  return (await createApiKey(app, { name, scopes: ['admin'], rate_limit_rpm: 10_000, ...unlimited })).key;
}
