import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import type { Caller } from '../../operations/access/caller.ts';
import { anonymous, type Credentials, identifyCaller } from '../../operations/access/identify-caller.ts';

/** Where the database says that a key, a session or a person changed: the triggers of 0004_limits.sql. */
const CHANNEL = 'crawl4r_access';
const TTL_MS = 5_000;
const MAX_CALLERS = 10_000;
const LISTEN_AGAIN_MS = 1_000;

export interface KnownCallers extends AsyncDisposable {
  /** At once where the caller is known, else by a query; rejects where the credentials are no longer good. */
  identify(credentials: Credentials): Caller | Promise<Caller>;
  /** Every caller is looked up again. Called before an answer that may have changed one of them leaves. */
  forget(): void;
}

/**
 * Callers that were looked up a moment ago, so that a request costs no query. One that was revoked or changed is refused
 * at once by the process that did it, by the others as soon as the database's notice arrives, and after five seconds
 * where that was lost. Expiry is checked at every request. Nothing is kept while no notice could arrive, and refusals
 * never are.
 */
export function createKnownCallers(app: App, now: () => number = Date.now): KnownCallers {
  const known = new LRUCache<string, { caller: Caller; until: number }>({ max: MAX_CALLERS });
  let subscription: AsyncDisposable | undefined;
  let listening: Promise<void> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  /** Grows with every notice: what was looked up before it is not kept. */
  let generation = 0;

  const forget = () => {
    generation++;
    known.clear();
  };

  async function listen(): Promise<void> {
    if (subscription !== undefined || closed || performance.now() - triedAt < LISTEN_AGAIN_MS) return;
    triedAt = performance.now();
    subscription = await app.database.listen(CHANNEL, forget).catch(() => undefined);
  }

  async function look(key: string, credentials: Credentials): Promise<Caller> {
    listening ??= listen().finally(() => {
      listening = undefined;
    });
    const [asked, heard] = [generation, subscription !== undefined];
    const caller = await identifyCaller(app, credentials);
    const ends = caller.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (heard && asked === generation && caller.kind !== 'anonymous')
      known.set(key, { caller, until: Math.min(now() + TTL_MS, ends) });
    return caller;
  }

  return {
    identify(credentials) {
      if (credentials.bearer === undefined && credentials.session === undefined) return anonymous(credentials.ip);
      // All that decides who it is, hashed: no secret is kept as a key.
      const key = hash('sha256', JSON.stringify(credentials), 'base64');
      const held = known.get(key);
      if (held !== undefined && held.until > now()) return held.caller;
      return look(key, credentials);
    },
    forget,
    async [Symbol.asyncDispose]() {
      closed = true;
      await listening;
      await subscription?.[Symbol.asyncDispose]();
    },
  };
}
