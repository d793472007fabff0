import { z } from 'zod';
import { ensureFact, writeFact } from '../../db/admin/installation.ts';
import type { Sql } from '../../ports/database.ts';
import { newSecret } from './sign-message.ts';

const KEY = 'webhook_secret';

const Stored = z.object({
  secret: z.string(),
  previous: z.string().optional(),
  previous_until: z.coerce.date().optional(),
});

const read = async (sql: Sql) => Stored.parse(await ensureFact(sql, KEY, { secret: newSecret() }));

/** What the messages of webhooks that came with a crawl are signed with: the secret, and the one before it for a while. */
export async function readSharedSecrets(sql: Sql): Promise<string[]> {
  const { secret, previous, previous_until } = await read(sql);
  return previous !== undefined && previous_until !== undefined && previous_until > new Date()
    ? [secret, previous]
    : [secret];
}

export async function rotateSharedSecret(sql: Sql, overlapS: number): Promise<string> {
  const [previous] = await readSharedSecrets(sql);
  const secret = newSecret();
  await writeFact(sql, KEY, { secret, previous, previous_until: new Date(Date.now() + overlapS * 1_000) });
  return secret;
}
