import { randomBytes } from 'node:crypto';
import { createSecrets, KEY_BYTES, type Secrets } from '../../src/secrets.ts';

/** With a key of its own, for an app without a data folder. */
export function createTestSecrets(): Secrets {
  const key = randomBytes(KEY_BYTES);
  return createSecrets(() => [key]);
}
