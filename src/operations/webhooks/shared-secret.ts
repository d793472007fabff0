import { z } from 'zod';
import type { App } from '../../app.ts';
import { ensureFact, writeFact } from '../../db/admin/installation.ts';
import { SHARED_SECRET, WEBHOOK_PURPOSE } from '../../db/admin/sealed-values.ts';
import { newSecret } from './sign-message.ts';

const Stored = z.object({
  secret: z.string(),
  previous: z.string().optional(),
  previous_until: z.coerce.date().optional(),
});

type Vault = Pick<App, 'database' | 'secrets'>;

const seal = ({ secrets }: Vault, stored: z.input<typeof Stored>) =>
  secrets.seal(WEBHOOK_PURPOSE, JSON.stringify(stored));

async function read(vault: Vault): Promise<z.output<typeof Stored>> {
  const sealed = await ensureFact(vault.database, SHARED_SECRET, seal(vault, { secret: newSecret() }));
  return Stored.parse(JSON.parse(vault.secrets.open(WEBHOOK_PURPOSE, String(sealed))));
}

/** What the messages of webhooks that came with a crawl are signed with: the secret, and the one before it for a while. */
export async function readSharedSecrets(vault: Vault): Promise<string[]> {
  const { secret, previous, previous_until } = await read(vault);
  return previous !== undefined && previous_until !== undefined && previous_until > new Date()
    ? [secret, previous]
    : [secret];
}

export async function rotateSharedSecret(vault: Vault, overlapS: number): Promise<string> {
  const [previous] = await readSharedSecrets(vault);
  const secret = newSecret();
  const until = new Date(Date.now() + overlapS * 1_000);
  await writeFact(vault.database, SHARED_SECRET, seal(vault, { secret, previous, previous_until: until }));
  return secret;
}
