import { randomBytes } from 'node:crypto';
import type { App } from '../../app.ts';
import { openKeyStore } from '../../config/secret-keys.ts';
import { tryLock } from '../../db/admin/installation.ts';
import { countStale, resealBatch, SEALED_PLACES } from '../../db/admin/sealed-values.ts';
import { AppError } from '../../errors.ts';
import { KEY_BYTES, keyIdOf } from '../../secrets.ts';

const BATCH = 200;
const LOCK = 'crawl4r secrets';

export interface SecretsState {
  /** The key that seals now, and those that only open. */
  key: string;
  older_keys: string[];
  /** Absent: the keys are a setting. */
  file?: string;
  /** Rows that an older key sealed. */
  stale: number;
}

export async function getSecretsState({ database, secrets, settings }: App): Promise<SecretsState> {
  const store = openKeyStore(settings);
  const key = secrets.keyId();
  const older = store.read().map(keyIdOf).slice(1);
  const file = store.file === undefined ? {} : { file: store.file };
  return { key, older_keys: older, ...file, stale: await countStale(database, key) };
}

/**
 * Seals everything with a new key, in batches. An interrupted run is continued: no further key is made while
 * rows of an older one are left. Where the keys are a setting, its first one is the new key.
 *
 * The key before the new one stays in the file: a process that sealed with it may commit after the last batch was read.
 * The next rotation drops it.
 */
export async function rotateSecrets(app: App): Promise<SecretsState & { resealed: number }> {
  const { database, secrets, settings } = app;
  const store = openKeyStore(settings);
  return database.transaction(async (lock) => {
    if (!(await tryLock(lock, LOCK)))
      throw new AppError('STATE_CONFLICT', 'another rotation is under way', { hint: 'Wait until it has ended.' });
    const isNew = store.file !== undefined && (await countStale(database, secrets.keyId())) === 0;
    if (isNew) store.write([randomBytes(KEY_BYTES), ...store.read()]);
    let resealed = 0;
    for (const place of SEALED_PLACES)
      for (let after: string | undefined; ; ) {
        const done = await database.transaction((tx) => resealBatch(tx, secrets, place, after, BATCH));
        if (done === undefined) break;
        after = done.last;
        resealed += done.rows;
      }
    if (store.file !== undefined) store.write(store.read().slice(0, 2));
    return { ...(await getSecretsState(app)), resealed };
  });
}
