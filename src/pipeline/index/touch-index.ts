import { findFetchTimes } from '../../db/search/chunks.ts';
import { bumpGeneration } from '../../db/search/index-state.ts';
import { finishOutbox, type OutboxRow } from '../../db/search/outbox.ts';
import type { IndexDeps } from './deps.ts';
import { withAllSpaces } from './spaces.ts';

/**
 * In the indexes the time of a visit without news is rounded down to this, so that one write moves all documents of a
 * minute. A search for what was fetched since a moment queries the indexes with one minute more, and the database decides.
 */
export const FETCHED_AT_STEP_MS = 60_000;

/** Documents that were visited and have not changed: only when they were fetched is new to the indexes. Returns how many. */
export async function touchIndex(deps: IndexDeps, rows: readonly OutboxRow[]): Promise<number> {
  const documents = await findFetchTimes(deps.database, [...new Set(rows.map((row) => row.document_id))]);
  const minutes = Map.groupBy(documents, ({ fetched_at }) => roundDown(fetched_at.getTime()));
  for (const [fetchedAt, group] of minutes) {
    const ids = group.map(({ id }) => id);
    await deps.fulltext.touch(ids, fetchedAt);
    await withAllSpaces(deps, (vectors) => vectors.touch(ids, fetchedAt));
  }
  await deps.database.transaction(async (tx) => {
    await finishOutbox(tx, rows);
    await bumpGeneration(tx);
  });
  return documents.length;
}

const roundDown = (ms: number) => ms - (ms % FETCHED_AT_STEP_MS);
