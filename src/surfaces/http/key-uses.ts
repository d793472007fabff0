import type { App } from '../../app.ts';
import { markApiKeysUsed } from '../../db/access/api-keys.ts';

const FLUSH_MS = 10_000;

/** Collects last uses of API keys and writes them together. Losing the last few seconds of them is harmless. */
export function createKeyUses(app: App): { note(keyId: string): void } & AsyncDisposable {
  let uses = new Map<string, Date>();
  const flush = async () => {
    if (uses.size === 0) return;
    const batch = uses;
    uses = new Map();
    await markApiKeysUsed(app.database, batch).catch((error: unknown) => app.log.warn('key_uses_lost', { error }));
  };
  const timer = setInterval(flush, FLUSH_MS).unref();
  return {
    note: (keyId) => uses.set(keyId, new Date()),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await flush();
    },
  };
}
