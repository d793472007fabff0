import { markWaiting } from '../../db/frontier/frontier.ts';
import type { Database } from '../../ports/database.ts';
import type { Dispatch } from '../../ports/dispatch.ts';

const NORMAL = 5;

/**
 * Opens domains to claims and wakes workers: called after the commit of tasks that wait. Each task, or each domain, is
 * named, so that there is no way to wake for "something".
 */
export async function wakeDomains(
  { database, dispatch }: { database: Database; dispatch: Dispatch },
  waiting: readonly { domain_id: string; priority?: number }[],
): Promise<void> {
  await markWaiting(database, [...new Set(waiting.map(({ domain_id }) => domain_id))]);
  await announceDomains(dispatch, waiting);
}

/** Each domain once, with the priority of its first task. */
export async function announceDomains(
  dispatch: Dispatch,
  waiting: readonly { domain_id: string; priority?: number }[],
): Promise<void> {
  const best = new Map<string, number>();
  for (const { domain_id, priority = NORMAL } of waiting)
    best.set(domain_id, Math.min(priority, best.get(domain_id) ?? priority));
  await dispatch.announce(
    'fetch',
    [...best].map(([id, priority]) => ({ id, priority })),
  );
}
