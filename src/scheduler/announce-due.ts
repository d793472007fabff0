import { LRUCache } from 'lru-cache';
import type { App } from '../app.ts';
import { listDueDomains } from '../db/frontier/frontier.ts';
import { announceDomains } from '../pipeline/frontier/wake-domains.ts';
import type { Dispatch } from '../ports/dispatch.ts';

const BATCH = 1_000;
/** A domain that no worker took by then is announced once more: the broker may have lost it. */
const AGAIN_MS = 5_000;

const announced = new WeakMap<Dispatch, LRUCache<string, true>>();

/** Where a broker delivers: sends it each domain that is due, once per turn. */
export async function announceDue({ database, dispatch }: App): Promise<void> {
  if (!dispatch.brokered) return;
  const known = announced.get(dispatch) ?? new LRUCache<string, true>({ max: 10 * BATCH, ttl: AGAIN_MS });
  announced.set(dispatch, known);
  const due = (await listDueDomains(database, BATCH)).filter(({ id, next_at }) => !known.has(`${id} ${next_at}`));
  for (const { id, next_at } of due) known.set(`${id} ${next_at}`, true);
  await announceDomains(
    dispatch,
    due.map(({ id, priority }) => ({ domain_id: id, priority })),
  );
}
