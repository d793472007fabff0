import { createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';

const PREFIX = 'whsec_';

/** 32 random bytes in the form of Standard Webhooks. */
export const newSecret = () => PREFIX + randomBytes(32).toString('base64');

/** The bytes of a secret, with or without its prefix. */
function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  if (key.length === 0) throw new AppError('CONFIG_INVALID', 'a webhook secret must not be empty');
  return key;
}

/** One signature per secret: while a secret is being changed, receivers with either can verify the message. */
export function signMessage(secrets: readonly string[], id: string, timestampS: number, body: string): string {
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestampS}.${body}`).digest('base64')}`)
    .join(' ');
}
