import { randomBytes } from 'node:crypto';
import type { Sql } from '../../ports/database.ts';
import type { Secrets } from '../../secrets.ts';
import { ensureFact } from './installation.ts';

export const LINK_KEY = 'blob_link_key';
export const LINK_PURPOSE = 'blob links';

/** The key that signs links to blobs: made once, the same for all processes of the installation, stored sealed. */
export async function ensureLinkKey(sql: Sql, secrets: Secrets): Promise<Buffer> {
  const fresh = secrets.seal(LINK_PURPOSE, randomBytes(32).toString('base64'));
  const sealed = String(await ensureFact(sql, LINK_KEY, fresh));
  return Buffer.from(secrets.open(LINK_PURPOSE, sealed), 'base64');
}
