import { LRUCache } from 'lru-cache';
import { SWITCH_CHANNEL } from '../../db/domains/domain-policy.ts';
import type { Database } from '../../ports/database.ts';

/** Domains that were blocked a moment ago, while tasks of theirs are held. */
export interface ClosedDomains extends AsyncDisposable {
  has(domainId: string): boolean;
}

/** No task is held longer without being asked for. Nothing of a blocked domain is claimed, so that later nobody looks. */
const KEPT_MS = 60_000;
const MAX_KEPT = 10_000;

/** Listens for the kill switch. A notice that is lost costs the rest of one turn. */
export async function followClosedDomains(database: Database): Promise<ClosedDomains> {
  const closed = new LRUCache<string, true>({ max: MAX_KEPT, ttl: KEPT_MS });
  const listener = await database.listen(SWITCH_CHANNEL, (notice) => {
    const [state, id = ''] = notice.split(' ');
    if (state === 'closed') closed.set(id, true);
    else closed.delete(id);
  });
  return { has: (domainId) => closed.has(domainId), [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() };
}
