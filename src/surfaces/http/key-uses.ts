import type { App } from '../../app.ts';
import { markApiKeysUsed } from '../../db/access/api-keys.ts';
import { renewSessions } from '../../db/access/logins.ts';
import type { Caller } from '../../operations/access/caller.ts';

const FLUSH_MS = 10_000;
/** A session that was seen within this time is not written again. */
const SEEN_MS = 60_000;

/**
 * Collects last uses of API keys and sessions and writes them together: no request waits for it or writes by itself. Losing
 * the last few seconds of them is harmless.
 */
export function createKeyUses(app: App): { note(caller: Caller): void } & AsyncDisposable {
  let [keys, sessions] = [new Map<string, Date>(), new Map<string, Date>()];
  const flush = async () => {
    const [usedKeys, usedSessions] = [keys, sessions];
    [keys, sessions] = [new Map(), new Map()];
    const lost = (error: unknown) => app.log.warn('key_uses_lost', { error });
    if (usedKeys.size > 0) await markApiKeysUsed(app.database, usedKeys).catch(lost);
    if (usedSessions.size > 0) await renewSessions(app.database, usedSessions).catch(lost);
  };
  const timer = setInterval(flush, FLUSH_MS).unref();
  return {
    note({ key, session }) {
      const now = new Date();
      if (key !== undefined) keys.set(key.id, now);
      if (session !== undefined && now.getTime() - session.lastSeenAt.getTime() > SEEN_MS)
        sessions.set(session.id, now);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await flush();
    },
  };
}
