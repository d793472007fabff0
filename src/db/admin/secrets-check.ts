import { AppError } from '../../errors.ts';
import type { Sql } from '../../ports/database.ts';
import type { Secrets } from '../../secrets.ts';
import { ensureFact } from './installation.ts';

export const CHECK = 'secrets_check';
export const CHECK_PURPOSE = 'check';

/** Whether secrets were ever sealed here: then a new key would be the wrong one. */
export async function hasSecretsCheck(sql: Sql): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM settings WHERE key = $1', [CHECK])).length > 0;
}

/** Opens a value that was sealed when the installation was made: a wrong key shows at start, not at the first use. */
export async function verifySecrets(sql: Sql, secrets: Secrets): Promise<void> {
  const sealed = String(await ensureFact(sql, CHECK, secrets.seal(CHECK_PURPOSE, 'crawl4r')));
  try {
    secrets.open(CHECK_PURPOSE, sealed);
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError('SECRETS_KEY_WRONG', 'the secrets in this database were encrypted with another key', { cause });
  }
}
