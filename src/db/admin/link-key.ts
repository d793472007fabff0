import { randomBytes } from 'node:crypto';
import type { Sql } from '../../ports/database.ts';
import { ensureFact } from './installation.ts';

/** The key that signs links to blobs: made once, the same for all processes of the installation. */
export async function ensureLinkKey(sql: Sql): Promise<Buffer> {
  const key = await ensureFact(sql, 'blob_link_key', randomBytes(32).toString('base64'));
  return Buffer.from(String(key), 'base64');
}
