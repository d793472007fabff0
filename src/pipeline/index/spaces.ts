import { countChunks } from '../../db/search/chunks.ts';
import {
  bumpGeneration,
  queueMissingVectors,
  readSpace,
  writeSpace,
  writeTermsVersion,
} from '../../db/search/index-state.ts';
import { queueReindex } from '../../db/search/outbox.ts';
import type { Vectors } from '../../ports/vectors.ts';
import { TERMS_VERSION } from '../../text/analyze.ts';
import type { IndexDeps } from './deps.ts';

/** What a new model or a new release makes necessary is done behind everything else. */
const REBUILD_PRIORITY = 9;

/**
 * Each model has its own space of vectors. The one named in the database answers queries; when the settings name
 * another model, its vectors are made in the background, and it takes over when the last one is there.
 */
export async function prepareSpace(deps: IndexDeps): Promise<void> {
  const { model, dimension } = deps.embedder;
  await prepareTerms(deps);
  const inForce = await readSpace(deps.database);
  if (inForce === undefined) {
    await writeSpace(deps.database, { model, dimension, choice: deps.embedderChoice ?? null });
    return;
  }
  if (inForce.model === model) return;
  const queued = await queueMissingVectors(deps.database, model, REBUILD_PRIORITY);
  deps.log.info('index_rebuild_started', { from: inForce.model, to: model, documents: queued });
}

/** Text that was indexed when words became other terms is indexed again; until then it is found by what stayed the same. */
async function prepareTerms(deps: IndexDeps): Promise<void> {
  const documents = await deps.database.transaction(async (tx) =>
    (await writeTermsVersion(tx, TERMS_VERSION)) ? queueReindex(tx, {}, REBUILD_PRIORITY) : 0,
  );
  if (documents > 0) deps.log.info('index_terms_changed', { documents });
}

/** Puts the new model in force once nothing lacks its vector; the old vectors are then of no use. */
export async function switchSpace(deps: IndexDeps): Promise<boolean> {
  const { model, dimension } = deps.embedder;
  const inForce = await readSpace(deps.database);
  if (inForce === undefined || inForce.model === model) return false;
  if ((await countChunks(deps.database, model)).unembedded > 0) return false;
  await deps.database.transaction(async (tx) => {
    await writeSpace(tx, { model, dimension, choice: deps.embedderChoice ?? null });
    await bumpGeneration(tx);
  });
  deps.log.info('index_rebuild_finished', { from: inForce.model, to: model });
  await using old = deps.openVectors(inForce.model, inForce.dimension);
  if (old.drop !== undefined) await old.drop();
  else for await (const batch of old.ids()) await old.deleteChunks(batch.map((entry) => entry.chunkId));
  return true;
}

/** Every space that may hold rows: what is deleted leaves all of them. */
export async function withAllSpaces(deps: IndexDeps, work: (vectors: Vectors) => Promise<void>): Promise<void> {
  await work(deps.vectors);
  const inForce = await readSpace(deps.database);
  if (inForce === undefined || inForce.model === deps.embedder.model) return;
  await using old = deps.openVectors(inForce.model, inForce.dimension);
  await work(old);
}
