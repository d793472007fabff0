import { type IndexState, readIndexState } from '../../db/search/search.ts';
import type { Sql } from '../../ports/database.ts';

/** The read that is on its way, and the one that starts after it for all callers since. */
interface Lane {
  running: Promise<unknown> | undefined;
  next: { collectionIds: Set<string>; state: Promise<IndexState> } | undefined;
}

const lanes = new WeakMap<Sql, Lane>();

/**
 * The state of the index for a search. It is always read after the search was requested, so that what was written before is
 * seen; searches that come while one read is on its way share the next.
 */
export async function readStateShared(sql: Sql, collectionIds: readonly string[]): Promise<IndexState> {
  const lane = lanes.get(sql) ?? { running: undefined, next: undefined };
  lanes.set(sql, lane);
  lane.next ??= prepare(sql, lane);
  for (const id of collectionIds) lane.next.collectionIds.add(id.toLowerCase());
  const state = await lane.next.state;
  const unknown = new Set(state.unknownCollections);
  return { ...state, unknownCollections: collectionIds.filter((id) => unknown.has(id.toLowerCase())) };
}

function prepare(sql: Sql, lane: Lane): NonNullable<Lane['next']> {
  const collectionIds = new Set<string>();
  const start = async () => {
    await lane.running?.catch(() => undefined);
    lane.next = undefined;
    const state = readIndexState(sql, [...collectionIds]);
    lane.running = state;
    return state;
  };
  return { collectionIds, state: start() };
}
