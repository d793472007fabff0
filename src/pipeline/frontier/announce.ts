import { relaxDurability } from '../../db/durability.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import { markWaiting } from '../../db/frontier/frontier.ts';
import { markQueuedToParse } from '../../db/frontier/take-over.ts';
import type { Database, Transaction } from '../../ports/database.ts';
import type { Dispatch } from '../../ports/dispatch.ts';
import type { PubSub } from '../../ports/pubsub.ts';
import { announceDomains } from './wake-domains.ts';

interface Announcers {
  database: Database;
  dispatch: Dispatch;
  pubsub: PubSub;
}

interface News {
  /** Tasks that can be claimed now, or their domains; the same one may be named often. */
  waiting: readonly { domain_id: string; priority?: number }[];
  /** Crawls that changed. */
  crawls: readonly string[];
}

/**
 * Announces what a committed transaction did to the frontier: marks domains, wakes workers, and notifies
 * the followers of a crawl. All of it can be derived again, so it need not reach the disk, and a crash before it costs a
 * little time until the scheduler repairs it. `also` runs in the same transaction.
 */
export async function announceChanges(
  { database, dispatch, pubsub }: Announcers,
  news: News,
  also?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await relaxDurability(tx);
    await also?.(tx);
    await markWaiting(tx, [...new Set(news.waiting.map(({ domain_id }) => domain_id))]);
  });
  if (news.crawls.length > 0) await wakeReaders(pubsub);
  await announceDomains(dispatch, news.waiting);
}

/** Announces tasks whose response is stored to the parsers; where a broker delivers them, their state changes too. */
export async function announceDownloads(
  { database, dispatch }: { database: Database; dispatch: Dispatch },
  tasks: readonly { id: string; priority: number }[],
): Promise<void> {
  if (tasks.length === 0) return;
  const ids = tasks.map(({ id }) => id);
  await dispatch.announce('parse', dispatch.brokered ? await markQueuedToParse(database, ids) : tasks);
}

/** The same for tasks that were put back into the frontier. */
export async function announceMoves(
  deps: Announcers,
  moves: readonly { domain_id: string; crawl_id: string; to_phase: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  const waiting = moves.filter(({ to_phase }) => to_phase === 'pending');
  await announceChanges(deps, { waiting, crawls: moves.map(({ crawl_id }) => crawl_id) });
}
