import { LRUCache } from 'lru-cache';
import type { PubSub } from '../../ports/pubsub.ts';

/** Domains that were blocked a moment ago, while tasks of theirs are held. */
export interface ClosedDomains extends AsyncDisposable {
  has(domainId: string): boolean;
}

/** No task is held longer before its request. Tasks of a blocked domain are not claimed, so the entry is not needed after this. */
const KEPT_MS = 60_000;
const MAX_KEPT = 10_000;

/** `closed` or `open`, and the domain's id. */
const CHANNEL = 'domains';

/** Notifies workers, after the commit, that the kill switch of a domain was used. */
export function tellDomainSwitch(pubsub: PubSub, domain: { id: string; is_active: boolean }): Promise<void> {
  return pubsub.publish(CHANNEL, [`${domain.is_active ? 'open' : 'closed'} ${domain.id}`]);
}

/** Follows the kill switch. A message that is lost costs the rest of one turn. */
export async function followClosedDomains(pubsub: PubSub): Promise<ClosedDomains> {
  const closed = new LRUCache<string, true>({ max: MAX_KEPT, ttl: KEPT_MS });
  const listener = await pubsub.subscribe(CHANNEL, (notice) => {
    const [state, id = ''] = notice.split(' ');
    if (state === 'closed') closed.set(id, true);
    else closed.delete(id);
  });
  return { has: (domainId) => closed.has(domainId), [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() };
}
